// At stake: the identity of a real interpreter (version, ABI, build-id, mapped libpython), and NumPy found unimported.
#include <gmock/gmock.h>

#include <fstream>

#include "harness/measure/child_output.h"
#include "harness/measure/elf_build_id.h"
#include "harness/measure/subject.h"
#include "harness/measure/temporary_folder_for_test.h"
#include "harness/measure/worker_command.h"

namespace tare::measure {
namespace {

using core::Expected;
using namespace std::chrono_literals;
using testing::Contains;
using testing::HasSubstr;
using testing::StartsWith;

constexpr const char* kPython = TARE_TEST_PYTHON;

/// What the interpreter prints for an expression, asked apart from the probe.
std::string evaluated(const std::string& python, const std::string& imports, const std::string& expression) {
    const Expected<ChildOutput> ran =
        run_for_output({python, "-c", "import sys, " + imports + "\nprint(" + expression + ")"}, 20s);
    EXPECT_TRUE(ran && ran->exit_status == 0) << (ran ? ran->err : ran.error().what);
    return ran ? ran->out.substr(0, ran->out.size() - 1) : "";
}

/// A virtual environment as PEP 405 defines it: a link to the interpreter and a pyvenv.cfg.
std::string make_virtual_environment(const TemporaryFolder& folder) {
    const Expected<Subject> base = probe_subject(kPython, "");
    EXPECT_TRUE(base) << base.error().what;
    const std::filesystem::path home = std::filesystem::path(base->executable).parent_path();
    folder.write("venv/pyvenv.cfg", "home = " + home.native() + "\ninclude-system-site-packages = false\n");
    std::filesystem::create_directories(folder.path() / "venv/bin");
    std::filesystem::create_symlink(kPython, folder.path() / "venv/bin/python");
    const std::string version = base->version.substr(0, base->version.find('.', 2));
    std::filesystem::create_directories(folder.path() / "venv/lib" / ("python" + version) / "site-packages");
    return folder.path() / "venv/bin/python";
}

TEST(RealSubject, IsDescribedAsItDescribesItself) {
    const Expected<Subject> subject = probe_subject(kPython, "");
    ASSERT_TRUE(subject) << subject.error().what;
    EXPECT_EQ(subject->python, kPython);
    EXPECT_EQ(subject->version_text, one_line(evaluated(kPython, "os", "sys.version")));
    EXPECT_THAT(subject->version_text, StartsWith(subject->version + " "));
    EXPECT_EQ("." + subject->abi + ".so", evaluated(kPython, "sysconfig", "sysconfig.get_config_var('EXT_SUFFIX')"));
    EXPECT_EQ(subject->prefix, evaluated(kPython, "os", "sys.prefix"));
    EXPECT_EQ(subject->real_executable, evaluated(kPython, "os", "os.readlink('/proc/self/exe')"));
    EXPECT_FALSE(subject->is_virtual_environment());
    EXPECT_FALSE(subject->is_script);
    EXPECT_EQ(file_build_id(subject->real_executable), subject->executable_build_id);
}

TEST(RealSubject, IsSharedExactlyWhenItMapsALibpython) {
    const Expected<Subject> subject = probe_subject(kPython, "");
    ASSERT_TRUE(subject) << subject.error().what;
    const bool maps = evaluated(kPython, "os", "'libpython' in open('/proc/self/maps').read()") == "True";
    EXPECT_EQ(subject->is_shared(), maps);
    if (maps) {
        EXPECT_EQ(file_build_id(subject->libpython_path), subject->libpython_build_id);
        EXPECT_EQ(subject->shared_libpython_candidate, "");
    }
}

/// The path of a shared object of this very process.
std::string mapped_here(const std::string& name) {
    std::ifstream maps("/proc/self/maps");
    for (std::string line; std::getline(maps, line);)
        if (const std::size_t slash = line.find('/'); line.find(name) != std::string::npos) return line.substr(slash);
    return "";
}

TEST(RealSubject, KnowsALibpythonFromItsMemoryMapWhereverThatLies) {
    const TemporaryFolder folder;
    if (folder.path().native().find_first_of(" :") != std::string::npos)
        GTEST_SKIP() << folder.path() << ": LD_PRELOAD takes no path with a blank or a colon";
    const std::string copied = mapped_here("libgcc_s");
    ASSERT_NE(copied, "");
    const std::string library = folder.path() / "lib of ours" / "libpython3.99t.so.1.0";
    const std::string preloaded = folder.path() / "preload.so";  // LD_PRELOAD cannot hold a blank
    std::filesystem::create_directories(folder.path() / "lib of ours");
    std::filesystem::copy_file(copied, library);
    std::filesystem::create_symlink(library, preloaded);
    ::setenv("LD_PRELOAD", preloaded.c_str(), 1);
    const Expected<Subject> direct = probe_subject(kPython, "");
    ::unsetenv("LD_PRELOAD");
    ASSERT_TRUE(direct) << direct.error().what;
    if (probe_subject(kPython, "")->is_shared()) GTEST_SKIP() << kPython << " maps a libpython of its own";
    EXPECT_EQ(direct->libpython_path, library);
    EXPECT_EQ(direct->libpython_build_id, file_build_id(copied));
    EXPECT_EQ(direct->shared_libpython_candidate, "");
}

TEST(RealSubject, OfAVirtualEnvironmentKeepsTheLinkAndFindsNumPyWithoutImportingIt) {
    const TemporaryFolder folder;
    const std::string python = make_virtual_environment(folder);
    const std::filesystem::path cache = folder.path() / "cache";
    Expected<Subject> subject = probe_subject(folder.path() / "venv", cache);
    ASSERT_TRUE(subject) << subject.error().what;
    EXPECT_EQ(subject->python, python);
    EXPECT_EQ(subject->executable, python);
    EXPECT_TRUE(subject->is_virtual_environment());
    EXPECT_FALSE(subject->has_numpy());
    ASSERT_EQ(subject->site_packages.size(), 1u);
    EXPECT_EQ(probe_subject(python, cache), *subject) << "the remembered answer";

    const std::string site = std::filesystem::relative(subject->site_packages[0], folder.path());
    folder.write(site + "/numpy/__init__.py", "raise SystemExit('imported')");
    folder.write(site + "/numpy/version.py", "import sys\nversion = \"9.8.6\"\n");
    subject = probe_subject(python, cache);
    ASSERT_TRUE(subject) << subject.error().what;
    EXPECT_EQ(subject->numpy_path, folder.path() / site / "numpy") << "a new package ends the remembered answer";
    EXPECT_EQ(subject->numpy_version, "9.8.6");

    folder.write(site + "/numpy-9.8.7.dist-info/METADATA", "Metadata-Version: 2.1\nName: numpy\nVersion: 9.8.7\n");
    EXPECT_EQ(probe_subject(python, cache)->numpy_version, "9.8.7") << "metadata come before version.py";
}

TEST(RealSubject, IsNotShadowedByTheWorkingDirectory) {
    const TemporaryFolder folder;
    folder.write("here/numpy/__init__.py", "");
    const std::string python = make_virtual_environment(folder);
    const std::filesystem::path before = std::filesystem::current_path();
    std::filesystem::current_path(folder.path() / "here");
    const Expected<Subject> subject = probe_subject(python, "");
    std::filesystem::current_path(before);
    ASSERT_TRUE(subject) << subject.error().what;
    EXPECT_EQ(subject->numpy_path, "");
}

TEST(RealSubject, WithABrokenHomeIsAnErrorWithCPythonsOwnWords) {
    ::setenv("PYTHONHOME", "/proc/absent", 1);
    const Expected<Subject> subject = probe_subject(kPython, "");
    ::unsetenv("PYTHONHOME");
    ASSERT_FALSE(subject);
    EXPECT_THAT(subject.error().what, HasSubstr("cannot describe itself: it ended with status 1"));
    EXPECT_THAT(subject.error().hint, HasSubstr("PYTHONHOME"));
}

TEST(RealSubject, LoadsTheModuleThatTheBootstrapIsGiven) {
    const TemporaryFolder folder;
    const Expected<Subject> subject = probe_subject(kPython, "");
    ASSERT_TRUE(subject) << subject.error().what;
    // A file that is no module shows that the subject's own loader was asked for exactly this file.
    const std::string module = folder.write("tare_worker." + subject->abi + ".so", "no ELF");
    const Expected<WorkerCommand> command = choose_worker(*subject, Host::kExecutable, {folder.path()});
    ASSERT_TRUE(command) << command.error().what;
    const Expected<ChildOutput> ran = run_for_output(command->argv, 20s);
    ASSERT_TRUE(ran) << ran.error().what;
    EXPECT_THAT(ran->err, HasSubstr("ImportError: " + module));
}

}  // namespace
}  // namespace tare::measure
