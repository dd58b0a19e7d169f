// At stake: one error for each way in which --python can be wrong, each naming the way out. Interpreters are fakes.
#include "harness/measure/subject.h"

#include <gmock/gmock.h>

#include "harness/measure/temporary_folder_for_test.h"

namespace tare::measure {
namespace {

using core::Error;
using core::ErrorCode;
using core::Expected;
using namespace std::chrono_literals;
using testing::AllOf;
using testing::Field;
using testing::HasSubstr;
using testing::Not;

Error error_of(const std::string& python, std::chrono::nanoseconds limit = 20s) {
    Expected<Subject> subject = probe_subject(python, "", limit);
    return subject ? Error{ErrorCode::kData, "no error, but " + subject->version_text, ""} : subject.error();
}

auto is_error(ErrorCode code, const std::string& what, const std::string& hint) {
    return AllOf(Field(&Error::code, code), Field(&Error::what, HasSubstr(what)), Field(&Error::hint, HasSubstr(hint)));
}

std::string answer(const std::string& lines) {
    return "cat <<'END'\nnoise of a sitecustomize\nbegin=1\n" + lines + "end=1\nEND\n";
}

const std::string kCPython =
    "version=3.12.1\nversion_text=3.12.1 (main) [GCC]\nimplementation=cpython\nsupported=1\n"
    "abi=cpython-312-x86_64-linux-gnu\nexecutable=/opt/python\nprefix=/opt\nbase_prefix=/opt\n";

TEST(Subject, ThatDoesNotExistIsAnErrorWithAnExample) {
    EXPECT_THAT(error_of("/proc/absent/python"),
                is_error(ErrorCode::kUsage, "'/proc/absent/python' does not exist", "for example /usr/bin/python3"));
    EXPECT_THAT(error_of("no-such-python-3"),
                is_error(ErrorCode::kUsage, "'no-such-python-3' in PATH", "name an interpreter"));
    EXPECT_THAT(error_of(""), is_error(ErrorCode::kUsage, "empty", "name an interpreter"));
}

TEST(Subject, ThatIsNotExecutableIsAnError) {
    const TemporaryFolder folder;
    const std::string file = folder.write("python", "text");
    EXPECT_THAT(error_of(file),
                is_error(ErrorCode::kUsage, "not executable: Permission denied", "name an interpreter"));
    std::filesystem::permissions(file, std::filesystem::perms::owner_all);
    EXPECT_THAT(error_of(file), is_error(ErrorCode::kEnvironment, "Exec format error", "name an interpreter"));
}

TEST(Subject, OfAFolderWithoutAnInterpreterIsAnError) {
    const TemporaryFolder folder;
    EXPECT_THAT(error_of(folder.path()),
                is_error(ErrorCode::kUsage, "folder without bin/python", "name an interpreter"));
}

TEST(Subject, OfAVirtualEnvironmentWhoseInterpreterWasRemovedIsAnError) {
    const TemporaryFolder folder;
    std::filesystem::create_directories(folder.path() / "bin");
    std::filesystem::create_symlink("/proc/absent/python3.8", folder.path() / "bin/python");
    EXPECT_THAT(error_of(folder.path()), is_error(ErrorCode::kEnvironment, "/proc/absent/python3.8", "create"));
}

TEST(Subject, ThatIsNoPythonIsAnError) {
    EXPECT_THAT(error_of("/bin/true"),
                is_error(ErrorCode::kEnvironment, "not a Python interpreter", "name an interpreter"));
}

TEST(Subject, ThatIsBrokenIsAnErrorWithItsStatusAndLastLine) {
    const TemporaryFolder folder;
    const std::string python = folder.script("python", "echo first >&2; echo 'No module named encodings' >&2; exit 7");
    EXPECT_THAT(error_of(python), is_error(ErrorCode::kEnvironment, "status 7: No module named encodings", "PYTHON"));
    EXPECT_THAT(error_of(folder.script("crash", "kill -SEGV $$")),
                is_error(ErrorCode::kEnvironment, "signal 11", "check"));
    EXPECT_THAT(error_of(folder.script("half", "echo begin=1; echo version=3.11.2; exit 0")),
                is_error(ErrorCode::kEnvironment, "cannot describe itself", "check"));
}

TEST(Subject, ThatHangsIsAnErrorAfterTheTimeLimit) {
    const TemporaryFolder folder;
    EXPECT_THAT(error_of(folder.script("python", "sleep 1000"), 300ms),
                is_error(ErrorCode::kTimeout, "within 0.3 s", "by hand"));
}

TEST(Subject, OfAnOldPythonIsAnError) {
    const TemporaryFolder folder;
    const std::string lines = "version=2.7.18\nversion_text=2.7.18\nimplementation=cpython\nsupported=0\n";
    EXPECT_THAT(error_of(folder.script("python", answer(lines))),
                is_error(ErrorCode::kEnvironment, "Python 2.7.18; 3.9 or newer", "newer interpreter"));
}

TEST(Subject, OfAnotherImplementationIsAnError) {
    const TemporaryFolder folder;
    const std::string lines = "version=3.10.14\nversion_text=3.10\nimplementation=pypy\nsupported=1\n";
    EXPECT_THAT(error_of(folder.script("python", answer(lines))),
                is_error(ErrorCode::kEnvironment, "is pypy, not CPython", "name a CPython"));
}

TEST(Subject, WithAnUnreadableLibraryIsAnErrorThatNamesIt) {
    const TemporaryFolder folder;
    const std::string lines = kCPython + "libpython_path=" + folder.write("libpython3.12.so", "no ELF") + "\n";
    EXPECT_THAT(error_of(folder.script("python", answer(lines))),
                is_error(ErrorCode::kData, folder.path() / "libpython3.12.so", "install"));
}

TEST(Subject, WithoutNumPyIsNoErrorHere) {
    const TemporaryFolder folder;
    const Expected<Subject> subject = probe_subject(folder.script("python", answer(kCPython)), "");
    ASSERT_TRUE(subject) << subject.error().what;
    EXPECT_FALSE(subject->has_numpy());
    EXPECT_FALSE(subject->is_shared());
    EXPECT_EQ(subject->version, "3.12.1");
}

TEST(Subject, StartedByAScriptIsAskedEveryTime) {
    const TemporaryFolder folder;
    const std::string python =
        folder.script("python", answer(kCPython) + "echo asked >> '" + folder.path().native() + "/log'");
    for (int i = 0; i < 2; ++i) {
        const Expected<Subject> subject = probe_subject(python, folder.path() / "cache");
        ASSERT_TRUE(subject) << subject.error().what;
        EXPECT_TRUE(subject->is_script);
        EXPECT_EQ(subject->python, python);
        EXPECT_EQ(subject->executable, "/opt/python");
    }
    EXPECT_EQ(std::filesystem::file_size(folder.path() / "log"), 2 * sizeof "asked");
}

TEST(Subject, OfAVirtualEnvironmentsFolderIsItsBinPython) {
    const TemporaryFolder folder;
    const std::string python = folder.script("venv/bin/python", answer(kCPython));
    const Expected<Subject> subject = probe_subject(folder.path() / "venv", "");
    ASSERT_TRUE(subject) << subject.error().what;
    EXPECT_EQ(subject->python, python);
}

TEST(Subject, NamedWithoutASlashIsSearchedInPath) {
    const TemporaryFolder folder;
    const std::string python = folder.script("fakepython3", answer(kCPython));
    const std::string path = std::getenv("PATH");
    ::setenv("PATH", ("/proc/absent:" + folder.path().native() + ":" + path).c_str(), 1);
    const Expected<Subject> subject = probe_subject("fakepython3", "");
    ::setenv("PATH", path.c_str(), 1);
    ASSERT_TRUE(subject) << subject.error().what;
    EXPECT_EQ(subject->python, python);
}

TEST(CacheDir, FollowsTheXdgSpecification) {
    ::setenv("HOME", "/home/u", 1);
    ::setenv("XDG_CACHE_HOME", "/var/cache/u", 1);
    EXPECT_EQ(default_cache_dir(), "/var/cache/u/tare");
    ::setenv("XDG_CACHE_HOME", "relative", 1);
    EXPECT_EQ(default_cache_dir(), "/home/u/.cache/tare");
    ::unsetenv("HOME");
    EXPECT_EQ(default_cache_dir(), "");
}

TEST(OneLine, MakesEveryRunOfWhiteSpaceOneBlank) {
    EXPECT_EQ(one_line("3.9.18 (main, May  9) \n[GCC 12.2.0]\n"), "3.9.18 (main, May 9) [GCC 12.2.0]");
    EXPECT_EQ(one_line(""), "");
}

}  // namespace
}  // namespace tare::measure
