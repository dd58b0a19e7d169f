// At stake: 38 % at `d[k]`, the error of measuring a static interpreter through another build's libpython unsaid.
#include "harness/measure/worker_command.h"

#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gnu/libc-version.h>

#include "harness/measure/temporary_folder_for_test.h"

namespace tare::measure {
namespace {

using core::ErrorCode;
using core::Expected;
using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Key;
using testing::Not;
using testing::Pair;
using testing::StartsWith;

constexpr const char* kAbi = "cpython-311-x86_64-linux-gnu";

Subject static_subject() {
    Subject s;
    s.python = "/venv/bin/python";
    s.executable = s.python;
    s.real_executable = "/usr/bin/python3.11";
    s.version = "3.11.2";
    s.version_text = "3.11.2 (main, Apr 28 2025) [GCC 12.2.0]";
    s.abi = kAbi;
    s.executable_build_id = "e0e0";
    return s;
}

Subject shared_subject() {
    Subject s = static_subject();
    s.libpython_path = "/opt/lib/libpython3.11.so.1.0";
    s.libpython_build_id = "1b1b";
    return s;
}

struct WorkerCommandTest : testing::Test {
    TemporaryFolder folder;
    std::string program = folder.write(std::string("bench-worker-") + kAbi, "", true);
    std::string module = folder.write(std::string("tare_worker.") + kAbi + ".so", "");

    void SetUp() override { ::unsetenv("LD_LIBRARY_PATH"); }
    Expected<WorkerCommand> choose(const Subject& subject, std::optional<Host> host = {}) {
        return choose_worker(subject, host, {folder.path()}, "/share/python");
    }
};

TEST_F(WorkerCommandTest, EmbedsTheLibraryThatTheSubjectMaps) {
    const Expected<WorkerCommand> command = choose(shared_subject());
    ASSERT_TRUE(command) << command.error().what;
    EXPECT_EQ(command->host, Host::kEmbedded);
    EXPECT_THAT(command->argv, ElementsAre(program));
    EXPECT_EQ(command->expected_build_id, "1b1b");
    EXPECT_EQ(command->expected_version_text, "3.11.2 (main, Apr 28 2025) [GCC 12.2.0]");
    EXPECT_THAT(command->environment, testing::UnorderedElementsAre(
                                          Pair("LD_LIBRARY_PATH", "/opt/lib"), Pair("TARE_RESTORE_LD_LIBRARY_PATH", ""),
                                          Pair("TARE_SUBJECT", "/venv/bin/python"),
                                          Pair("TARE_EXPECT_VERSION", command->expected_version_text),
                                          Pair("TARE_EXPECT_BUILD_ID", "1b1b"), Pair("TARE_PACKAGE", "/share/python")));
    EXPECT_THAT(command->warnings, IsEmpty());
}

TEST_F(WorkerCommandTest, RunsTheExecutableOfAStaticSubject) {
    const Expected<WorkerCommand> command = choose(static_subject());
    ASSERT_TRUE(command) << command.error().what;
    EXPECT_EQ(command->host, Host::kExecutable);
    EXPECT_THAT(command->argv, ElementsAre("/venv/bin/python", "-c", HasSubstr("module.main()"), module));
    EXPECT_EQ(command->expected_build_id, "e0e0");
    EXPECT_THAT(command->environment, Not(Contains(Key("LD_LIBRARY_PATH"))));
    EXPECT_THAT(command->warnings, IsEmpty());
}

TEST_F(WorkerCommandTest, ExpectsTheLibraryOfASharedSubjectInItsOwnExecutable) {
    const Expected<WorkerCommand> command = choose(shared_subject(), Host::kExecutable);
    ASSERT_TRUE(command) << command.error().what;
    EXPECT_EQ(command->host, Host::kExecutable);
    EXPECT_EQ(command->expected_build_id, "1b1b");
}

TEST_F(WorkerCommandTest, EmbedsAnotherBuildOnlyWhenAskedAndSaysSo) {
    Subject subject = static_subject();
    subject.shared_libpython_candidate = "/opt/debian/libpython3.11.so.1.0";
    subject.shared_libpython_candidate_build_id = "9c9c";
    EXPECT_EQ(choose(subject)->host, Host::kExecutable);
    const Expected<WorkerCommand> command = choose(subject, Host::kEmbedded);
    ASSERT_TRUE(command) << command.error().what;
    EXPECT_EQ(command->expected_build_id, "9c9c");
    EXPECT_EQ(command->expected_version_text, "3.11.2 ");
    EXPECT_THAT(command->environment, Contains(Pair("LD_LIBRARY_PATH", "/opt/debian")));
    EXPECT_THAT(command->warnings,
                ElementsAre(AllOf(HasSubstr("another build"), HasSubstr("9c9c"), HasSubstr("e0e0"))));
}

TEST_F(WorkerCommandTest, RefusesToEmbedAStaticSubjectWithoutALibrary) {
    const Expected<WorkerCommand> command = choose(static_subject(), Host::kEmbedded);
    ASSERT_FALSE(command);
    EXPECT_EQ(command.error().code, ErrorCode::kUsage);
    EXPECT_THAT(command.error().what, HasSubstr("linked statically"));
    EXPECT_THAT(command.error().hint, HasSubstr("leave --host out"));
}

TEST_F(WorkerCommandTest, WithoutAWorkerOfTheAbiListsThoseThatExistAndHowToBuildOne) {
    Subject subject = static_subject();
    subject.abi = "cpython-313t-x86_64-linux-gnu";
    const Expected<WorkerCommand> command = choose(subject);
    ASSERT_FALSE(command);
    EXPECT_EQ(command.error().code, ErrorCode::kEnvironment);
    EXPECT_THAT(command.error().what, AllOf(HasSubstr("tare_worker.cpython-313t-x86_64-linux-gnu.so"),
                                            HasSubstr(std::string("which has ") + kAbi)));
    EXPECT_THAT(command.error().hint, HasSubstr("bench worker build --python '/venv/bin/python'"));
    EXPECT_THAT(command.error().hint, Not(HasSubstr("--host")));
}

TEST_F(WorkerCommandTest, ProposesTheOtherHostWhereOnlyThatWasBuilt) {
    std::filesystem::remove(program);
    const Expected<WorkerCommand> command = choose(shared_subject());
    ASSERT_FALSE(command);
    EXPECT_THAT(command.error().what, HasSubstr("which has none"));
    EXPECT_THAT(command.error().hint, HasSubstr("--host executable"));
}

TEST_F(WorkerCommandTest, TakesTheFirstFolderThatHasAWorker) {
    const TemporaryFolder built;
    built.write(std::string("tare_worker.") + kAbi + ".so", "");
    built.write("tare_worker.cpython-313-x86_64-linux-gnu.so", "");
    const std::vector<std::filesystem::path> folders{folder.path(), built.path(), "/nowhere"};
    EXPECT_EQ(choose_worker(static_subject(), {}, folders)->argv.back(), module);
    Subject newer = static_subject();
    newer.abi = "cpython-313-x86_64-linux-gnu";
    EXPECT_EQ(choose_worker(newer, {}, folders)->argv.back(),
              built.path() / "tare_worker.cpython-313-x86_64-linux-gnu.so");
    std::vector<std::string> files;
    for (const AvailableWorker& worker : available_workers(folders)) files.push_back(worker.file);
    EXPECT_THAT(files, ElementsAre(program, module, built.path() / "tare_worker.cpython-313-x86_64-linux-gnu.so"));
}

TEST_F(WorkerCommandTest, NamesNoFolderThatTheDynamicLinkerSearchesAnyway) {
    Dl_info c_library{};
    ASSERT_NE(dladdr(reinterpret_cast<const void*>(&gnu_get_libc_version), &c_library), 0);
    Subject subject = shared_subject();
    subject.libpython_path = std::filesystem::path(c_library.dli_fname).parent_path() / "libpython3.11.so.1.0";
    const Expected<WorkerCommand> command = choose(subject);
    ASSERT_TRUE(command) << command.error().what;
    EXPECT_EQ(command->host, Host::kEmbedded);
    EXPECT_THAT(command->environment, Not(Contains(Key("LD_LIBRARY_PATH"))));
}

TEST_F(WorkerCommandTest, PutsTheLibraryBeforeTheUsersOwnSearchPathAndTellsTheOldOne) {
    ::setenv("LD_LIBRARY_PATH", "/cuda/lib", 1);
    const Expected<WorkerCommand> command = choose(shared_subject());
    ::unsetenv("LD_LIBRARY_PATH");
    ASSERT_TRUE(command);
    EXPECT_THAT(command->environment, Contains(Pair("LD_LIBRARY_PATH", "/opt/lib:/cuda/lib")));
    EXPECT_THAT(command->environment, Contains(Pair("TARE_RESTORE_LD_LIBRARY_PATH", "/cuda/lib")));
}

TEST_F(WorkerCommandTest, WarnsWhereABuildCannotBeIdentified) {
    Subject subject = static_subject();
    subject.executable_build_id = "";
    EXPECT_THAT(choose(subject)->warnings, ElementsAre(HasSubstr("'/usr/bin/python3.11' has no build-id")));
}

TEST_F(WorkerCommandTest, WarnsThatAScriptsSettingsDoNotReachAnEmbeddedWorker) {
    Subject subject = shared_subject();
    subject.is_script = true;
    subject.executable = "/opt/bin/python3";
    const Expected<WorkerCommand> command = choose(subject);
    ASSERT_TRUE(command);
    EXPECT_THAT(command->warnings, ElementsAre(HasSubstr("is a script")));
    EXPECT_THAT(command->environment, Contains(Pair("TARE_SUBJECT", "/opt/bin/python3")));
    EXPECT_THAT(choose(subject, Host::kExecutable)->warnings, IsEmpty());
}

TEST(Host, IsFoundByTheNameThatTheCommandLineUses) {
    for (const Host host : {Host::kEmbedded, Host::kExecutable}) EXPECT_EQ(host_named(name_of(host)), host);
    EXPECT_EQ(host_named("inside"), std::nullopt);
}

}  // namespace
}  // namespace tare::measure
