// The executable mappings of files, each file once.
#include "harness/worker/native_libraries.h"

#include <dlfcn.h>

#include <filesystem>

#include "harness/worker/code_map.h"

namespace tare::worker {

std::map<std::string, std::string> native_libraries(const std::string& without) {
    constexpr const char* kStandardLibrary = "/lib-dynload/";
    std::error_code unknown;
    const std::string program = std::filesystem::read_symlink("/proc/self/exe", unknown).string();
    std::map<std::string, std::string> libraries;
    OwnMemory memory;
    for (const core::CodeModule& module : loaded_code({}, memory)) {
        const bool is_ours = !without.empty() && std::filesystem::path(module.path).parent_path().string() == without;
        if (!module.path.starts_with('/') || module.path == program || is_ours ||
            module.path.find(kStandardLibrary) != std::string::npos)
            continue;
        const bool is_generated = module.path.starts_with("/memfd:") || module.path.starts_with("/dev/") ||
                                  (module.path.ends_with(" (deleted)") && module.build_id.empty());
        if (!is_generated) libraries.emplace(module.path, module.build_id);
    }
    return libraries;
}

std::string own_folder() {
    Dl_info info{};
    if (dladdr(reinterpret_cast<const void*>(&own_folder), &info) == 0 || info.dli_fname == nullptr) return {};
    std::error_code unknown;
    // The main program is listed under argv[0], which need not be a path.
    const std::filesystem::path listed = info.dli_fname;
    const std::filesystem::path file = listed.is_absolute() && std::filesystem::exists(listed, unknown)
                                           ? listed
                                           : std::filesystem::read_symlink("/proc/self/exe", unknown);
    return std::filesystem::canonical(file, unknown).parent_path().string();
}

}  // namespace tare::worker
