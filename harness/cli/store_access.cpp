// getenv for record::find_store.
#include "harness/cli/store_access.h"

#include <cstdlib>
#include <filesystem>

namespace tare::cli {

core::Expected<record::Store> open_store(const Options& options) {
    return record::find_store(options.store, [](const char* name) -> std::optional<std::string> {
        const char* value = std::getenv(name);
        return value != nullptr ? std::optional<std::string>(value) : std::nullopt;
    });
}

core::Expected<record::Store> open_existing_store(const Options& options) {
    core::Expected<record::Store> store = open_store(options);
    std::error_code unknown;
    const auto status = store ? std::filesystem::status(store->root, unknown) : std::filesystem::file_status();
    if (!store || std::filesystem::is_directory(status)) return store;
    if (std::filesystem::exists(status))
        return core::fail(core::ErrorCode::kUsage, "the store '" + store->root.string() + "' is no folder",
                          "name another one with --store or TARE_STORE");
    if (status.type() == std::filesystem::file_type::not_found)
        return core::fail(core::ErrorCode::kUsage, "there is no store '" + store->root.string() + "'",
                          "`bench run` makes one; name another one with --store or TARE_STORE");
    return core::fail(core::ErrorCode::kEnvironment,
                      "cannot reach the store '" + store->root.string() + "': " + unknown.message());
}

}  // namespace tare::cli
