// At stake: of 317 functions of two releases of a library each counted as gone and as new, because its file's name
// holds a version; and functions of two packages counted as one, because both call a file _core.
#include "harness/attribution/names_across_builds.h"

#include <gmock/gmock.h>

namespace tare::attribution {
namespace {

TEST(ModuleAcrossBuilds, LeavesOutWhatABuildAddsToAName) {
    EXPECT_EQ(module_across_builds("libscipy_openblas64_-32a4b2a6.so"), "BLAS");
    EXPECT_EQ(module_across_builds("libblas.so.3"), "BLAS");
    EXPECT_EQ(module_across_builds("libpython3.13.so.1.0"), "python");
    EXPECT_EQ(module_across_builds("python3.11"), "python");
    EXPECT_EQ(module_across_builds("libgfortran-040039e1.so.5.0.0"), "libgfortran.so");
    EXPECT_EQ(module_across_builds("libgfortran-040039e1-0352e75f.so.5.0.0"), "libgfortran.so");
    EXPECT_EQ(module_across_builds("libarrow.so.1801"), "libarrow.so");
    EXPECT_EQ(module_across_builds("libgeos-3.13.1.so"), "libgeos.so");
    EXPECT_EQ(module_across_builds("libQt5Core-no.so.5"), "libQt5Core-no.so");
    EXPECT_EQ(module_across_builds("libx.so.debug"), "libx.so.debug");
    EXPECT_EQ(module_across_builds("ld-linux-x86-64.so.2"), "ld-linux-x86-64.so");
    EXPECT_EQ(module_across_builds("_multiarray_umath.cpython-311-x86_64-linux-gnu.so"), "_multiarray_umath.so");
    EXPECT_EQ(module_across_builds("_core.abi3.so"), "_core.so");
}

TEST(SourceAcrossEnvironments, IsTheSameWhereverAnEnvironmentLies) {
    EXPECT_EQ(source_across_environments("/v/lib/python3.12/site-packages/numpy/linalg/_linalg.py"),
              "numpy/linalg/_linalg.py");
    EXPECT_EQ(source_across_environments("/usr/lib/python3/dist-packages/numpy/core.py"), "numpy/core.py");
    EXPECT_EQ(source_across_environments("/usr/lib/python3.11/json/decoder.py"), "json/decoder.py");
    EXPECT_EQ(source_across_environments("/usr/lib64/python3.11/json/decoder.py"), "json/decoder.py");
    EXPECT_EQ(source_across_environments("/home/me/work.py"), "work.py");
    EXPECT_EQ(source_across_environments("/src/x/core/random.py", {"random.py", "core/random.py"}), "core/random.py");
    EXPECT_EQ(source_across_environments("<string>"), "<string>");
}

TEST(ModuleNames, AreWithoutWhatABuildAdds) {
    const ModuleNames names({"/v/libgeos-e4f0e0c1.so.3.11.4"}, {"/w/libgeos-3ef06f11.so.3.13.1"});
    EXPECT_EQ(names.of("/v/libgeos-e4f0e0c1.so.3.11.4"), "libgeos.so");
    EXPECT_EQ(names.of("/w/libgeos-3ef06f11.so.3.13.1"), "libgeos.so");
}

TEST(ModuleNames, HaveThePackageWhereTwoOwnSuchAFile) {
    const std::string one = "/v/lib/python3.11/site-packages/one/_core.cpython-311-x86_64-linux-gnu.so";
    const std::string two = "/v/lib/python3.11/site-packages/two/_core.cpython-311-x86_64-linux-gnu.so";
    const std::string newer = "/w/lib/python3.13/site-packages/two/_core.cpython-313-x86_64-linux-gnu.so";
    const std::string checkout = "/src/two/two/_core.cpython-311-x86_64-linux-gnu.so";
    EXPECT_EQ(ModuleNames({one, two}, {newer}).of(two), "two/_core.so");
    EXPECT_EQ(ModuleNames({one, two}, {newer}).of(newer), "two/_core.so");
    EXPECT_EQ(ModuleNames({newer}, {one, two}).of(newer), "two/_core.so");
    EXPECT_EQ(ModuleNames({one, two}, {one, checkout}).of(checkout), "two/_core.so");
    EXPECT_EQ(ModuleNames({two}, {newer}).of(two), "_core.so") << "nothing to tell apart";
}

TEST(ModuleNames, OfASystemsLibraryHaveNoVersionBesideABundledOne) {
    const std::string bundled = "/v/lib/python3.11/site-packages/x.libs/libicui18n-040039e1.so.72.1";
    const ModuleNames names({"/usr/lib/libicui18n.so.72", bundled}, {"/usr/lib/libicui18n.so.73"});
    EXPECT_EQ(names.of("/usr/lib/libicui18n.so.72"), names.of("/usr/lib/libicui18n.so.73"));
    EXPECT_EQ(names.of(bundled), "x.libs/libicui18n.so");
}

TEST(ModuleNames, HaveTheVersionWhereOnePackageHasTwo) {
    const ModuleNames names({"/usr/lib/libz.so.1"}, {"/usr/lib/libz.so.1", "/opt/libz.so.2"});
    EXPECT_EQ(names.of("/usr/lib/libz.so.1"), "libz.so.1");
    EXPECT_EQ(names.of("/opt/libz.so.2"), "libz.so.2");
    const ModuleNames blas({"/a/libopenblas.so.0", "/b/libscipy_openblas64_-32a4b2a6.so"}, {});
    EXPECT_EQ(blas.of("/a/libopenblas.so.0"), "BLAS") << "one library, whoever bundles it";
}

}  // namespace
}  // namespace tare::attribution
