// At stake: names in the files that everybody measures. Debian's NumPy has 277 names for 7,688 functions, PyPI's has
// all; what is not installed is skipped with its reason.
#include <gmock/gmock.h>

#include "harness/attribution/frame_entries.h"
#include "harness/attribution/naming_test_files.h"

namespace tare::attribution {
namespace {

using core::CodeModule;
using core::NameSource;

using NamingOfInstalledFiles = NamingTest;

/// The files of packages and of the system: skipped where they are not installed.
std::string installed(const std::string& folder, const std::string& prefix) {
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(folder, error))
        if (entry.path().filename().string().starts_with(prefix)) return entry.path();
    return {};
}

bool has_debug_file(const CodeModule& module) {
    const std::string& id = module.build_id;
    return id.size() > 2 &&
           std::filesystem::exists("/usr/lib/debug/.build-id/" + id.substr(0, 2) + "/" + id.substr(2) + ".debug");
}

TEST_F(NamingOfInstalledFiles, NamesNothingFalselyInDebiansStrippedNumPy) {
    const std::string path = installed("/usr/lib/python3/dist-packages/numpy/core", "_multiarray_umath.cpython-");
    if (path.empty()) GTEST_SKIP() << "Debian's python3-numpy is not installed";
    // Skipped because names come from there, and what is told here is of a file that has few.
    if (has_debug_file(loaded(path))) GTEST_SKIP() << "python3-numpy-dbgsym is installed";
    const auto file = ElfFile::open(path);
    ASSERT_TRUE(file);
    const ElfSection* section = file->section(".eh_frame");
    ASSERT_NE(section, nullptr);
    Naming naming({loaded(path)}, {});
    std::size_t named = 0;
    const auto frames = frame_entries(file->bytes(*section), section->address);
    for (const FrameEntry& frame : frames) {
        const Function& function = naming.function_at(kBias + frame.start);
        EXPECT_EQ(function.start, kBias + frame.start) << function.name;
        named += core::is_name(function.source) ? 1 : 0;
        EXPECT_EQ(&naming.function_at(kBias + frame.end - 1) == &function || function.source == NameSource::kStub ||
                      function.end < kBias + frame.end,
                  true)
            << function.name;
    }
    EXPECT_GT(frames.size(), 7000U);
    EXPECT_GT(named, 200U);
    EXPECT_LT(named, 400U);
}

TEST_F(NamingOfInstalledFiles, NamesAProgramThatIsLoadedWhereItsFileSays) {
    const std::string path = "/usr/bin/python3.11";
    if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " is not installed";
    Naming naming({loaded(path, 0)}, {});
    const auto add = naming.address_of("PyNumber_Add");
    if (!add || *add < 0x400000) GTEST_SKIP() << path << " is no program at a fixed address";
    EXPECT_EQ(naming.function_at(*add).name, "PyNumber_Add");
    EXPECT_EQ(naming.function_at(*add).start, *add);
}

TEST_F(NamingOfInstalledFiles, ReadsTheSystemsDebugFileOfLibc) {
    const std::string path = "/usr/lib/x86_64-linux-gnu/libc.so.6";
    const CodeModule module = loaded(path);
    // Skipped because the names that are told of here stand in that package's file alone.
    if (!has_debug_file(module)) GTEST_SKIP() << "libc6-dbg is not installed";
    Naming naming({module}, {});
    const std::uint64_t malloc_start = naming.address_of("malloc").value();
    EXPECT_EQ(naming.function_at(malloc_start + 1).name, "malloc");
    EXPECT_EQ(naming.function_at(malloc_start).source, NameSource::kDebugFile);
}

}  // namespace
}  // namespace tare::attribution
