// At stake: a wrong bias or build-id gives every function of a library another's name.
#include "harness/worker/code_map.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <gmock/gmock.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "harness/measure/elf_build_id.h"
#include "harness/worker/mapped_pages_for_test.h"

namespace tare::worker {
namespace {

using core::CodeModule;
using ::testing::IsEmpty;

std::uint64_t address_of(const void* pointer) {
    return reinterpret_cast<std::uint64_t>(pointer);
}

const CodeModule* module_at(const std::vector<CodeModule>& modules, std::uint64_t address) {
    const auto found = std::find_if(modules.begin(), modules.end(),
                                    [&](const CodeModule& m) { return address >= m.start && address < m.end; });
    return found != modules.end() ? &*found : nullptr;
}

TEST(LoadedCode, KnowsFileBiasAndBuildOfAnAddress) {
    OwnMemory memory;
    const auto modules = loaded_code({}, memory);
    // This very program, and a shared library.
    for (const void* address :
         {reinterpret_cast<const void*>(&address_of), reinterpret_cast<const void*>(&std::getenv)}) {
        Dl_info info{};
        ASSERT_NE(dladdr(address, &info), 0);
        const CodeModule* module = module_at(modules, address_of(address));
        ASSERT_NE(module, nullptr) << info.dli_fname;
        EXPECT_EQ(module->bias, address_of(info.dli_fbase)) << "both are linked to begin at 0";
        EXPECT_EQ(std::filesystem::canonical(module->path), std::filesystem::canonical(info.dli_fname));
        const auto build_id = measure::file_build_id(module->path);
        ASSERT_TRUE(build_id);
        EXPECT_EQ(module->build_id, *build_id);
    }
    EXPECT_TRUE(std::is_sorted(modules.begin(), modules.end(),
                               [](const CodeModule& a, const CodeModule& b) { return a.start < b.start; }));
}

TEST(LoadedCode, HoldsTheVdsoByItsName) {
    OwnMemory memory;
    const auto modules = loaded_code({}, memory);
    EXPECT_EQ(std::count_if(modules.begin(), modules.end(), [](const CodeModule& m) { return m.path == "[vdso]"; }), 1);
}

TEST(LoadedCode, HoldsMemoryWithoutAFileOnlyWhereItWasExecuted) {
    MappedPages pages;
    OwnMemory memory;
    EXPECT_EQ(module_at(loaded_code({}, memory), pages.start()), nullptr);
    EXPECT_EQ(module_at(loaded_code({pages.end()}, memory), pages.start()), nullptr);
    const auto modules = loaded_code({pages.start() - 1, pages.start() + 100}, memory);
    const CodeModule* module = module_at(modules, pages.start());
    ASSERT_NE(module, nullptr);
    EXPECT_EQ(module->path, "");
    EXPECT_EQ(module->build_id, "");
}

TEST(LoadedCode, MarksAFileThatIsGone) {
    const std::string path =
        std::filesystem::canonical(std::filesystem::temp_directory_path()) / ("tare code " + std::to_string(getpid()));
    const int file = open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0700);
    ASSERT_GE(file, 0);
    ASSERT_EQ(ftruncate(file, 3 * 4096), 0);
    void* mapped = mmap(nullptr, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, file, 2 * 4096);
    close(file);
    unlink(path.c_str());
    if (mapped == MAP_FAILED) GTEST_SKIP() << "the folder for temporary files allows no execution";
    OwnMemory memory;
    const auto modules = loaded_code({}, memory);
    const CodeModule* module = module_at(modules, address_of(mapped));
    ASSERT_NE(module, nullptr);
    EXPECT_EQ(module->path, path + " (deleted)");
    EXPECT_EQ(module->bias, address_of(mapped) - 2 * 4096);
    munmap(mapped, 4096);
}

TEST(CodeBytes, AreFewerAtTheEndOfAMapping) {
    MappedPages pages;
    const std::uint64_t last = pages.write_at_end("\x0f\x05\xc3");
    OwnMemory memory;
    const auto code = code_at({last - 100, last, pages.end()}, memory);
    ASSERT_EQ(code.size(), 3u);
    EXPECT_EQ(code[0].length, 15);
    EXPECT_EQ(code[1].length, 3);
    EXPECT_EQ(code[1].bytes[0], 0x0f);
    EXPECT_EQ(code[1].bytes[2], 0xc3);
    EXPECT_EQ(code[2].length, 0);
    EXPECT_EQ(code[2].address, pages.end());
}

}  // namespace
}  // namespace tare::worker
