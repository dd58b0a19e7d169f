// At stake: two builds of one version, of which one is slower, under one name.
#include "harness/worker/native_libraries.h"

#include <dlfcn.h>
#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>

#include "harness/measure/elf_build_id.h"

namespace tare::worker {
namespace {

using testing::Contains;
using testing::Key;
using testing::Not;

std::string file_of(const void* address) {
    Dl_info info{};
    return dladdr(address, &info) != 0 ? std::filesystem::canonical(info.dli_fname).string() : "";
}

TEST(NativeLibraries, AreThoseOfThisProcessWithTheBuildOfTheirFiles) {
    const std::string libc = file_of(reinterpret_cast<const void*>(&std::getenv));
    const auto libraries = native_libraries("");
    ASSERT_THAT(libraries, Contains(Key(libc)));
    const auto build_id = measure::file_build_id(libc);
    ASSERT_TRUE(build_id);
    EXPECT_EQ(libraries.at(libc), *build_id);
    EXPECT_THAT(libraries, Not(Contains(Key(file_of(reinterpret_cast<const void*>(&own_folder)))))) << "the program";
    EXPECT_THAT(libraries, Not(Contains(Key("[vdso]"))));
    EXPECT_THAT(native_libraries(std::filesystem::path(libc).parent_path()), Not(Contains(Key(libc)))) << "left out";
}

TEST(NativeLibraries, LieInAFolderOfTheirOwn) {
    EXPECT_EQ(own_folder(), std::filesystem::read_symlink("/proc/self/exe").parent_path());
}

}  // namespace
}  // namespace tare::worker
