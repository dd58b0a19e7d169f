// At stake: the name that a count stands under. A wrong one sends a reader into the wrong function, so where sources
// contradict each other there must be none: with the nearest exported symbol 96 % of Debian's NumPy would be misnamed.
#include "harness/attribution/naming.h"

#include <gmock/gmock.h>

#include <random>
#include <sstream>

#include "harness/attribution/naming_test_files.h"

namespace tare::attribution {
namespace {

using core::CodeModule;
using core::NameSource;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST_F(NamingTest, NamesAFunctionFromItsFirstToItsLastByte) {
    Naming naming({loaded(TARE_SAMPLE)}, {});
    const std::uint64_t start = sample("sample_hidden");
    const Function& function = naming.function_at(start);
    EXPECT_EQ(function.name, "sample_hidden");
    EXPECT_EQ(function.source, NameSource::kSymbols);
    EXPECT_EQ(function.start, start);
    EXPECT_EQ(function.end, start + 2);
    EXPECT_EQ(&naming.function_at(start + 1), &function);
    EXPECT_NE(&naming.function_at(start + 2), &function);
    EXPECT_EQ(naming.modules()[function.module].symbols, NameSource::kSymbols);
}

TEST_F(NamingTest, ReadsNoFileBeforeItIsAskedForAnAddressInIt) {
    Naming naming({loaded(TARE_SAMPLE)}, {});
    EXPECT_EQ(naming.function_at(0x1000).source, NameSource::kNone);
    EXPECT_EQ(naming.modules()[0].symbols, NameSource::kNone);
}

TEST_F(NamingTest, NamesAssemblyOnlyAsFarAsItsSizeIsKnown) {
    Naming naming({loaded(TARE_SAMPLE)}, {});
    EXPECT_EQ(naming.function_at(sample("sample_bare") + 1).name, "sample_bare");
    EXPECT_EQ(naming.function_at(sample("sample_sizeless") + 1).name, "sample_sizeless");
    EXPECT_EQ(naming.function_at(sample("sample_sizeless")).end, sample("sample_sizeless") + 2);
    EXPECT_EQ(naming.function_at(sample("sample_untyped")).name, "sample_untyped");
    const Function& endless = naming.function_at(sample("sample_endless"));
    EXPECT_EQ(endless.source, NameSource::kNone);
    EXPECT_EQ(endless.start, endless.end);
    EXPECT_THAT(endless.name, HasSubstr("naming_sample.so+0x"));
}

TEST_F(NamingTest, DropsTheNameWhereAFrameEntryContradictsIt) {
    for (const char* path : {TARE_SAMPLE, TARE_SAMPLE_STRIPPED}) {
        Naming naming({loaded(path)}, {});
        EXPECT_EQ(naming.function_at(sample("sample_liar") + 1).name, "sample_liar") << path;
        EXPECT_NE(naming.function_at(sample("sample_victim")).name, "sample_liar") << path;
        EXPECT_EQ(naming.function_at(sample("sample_victim")).start, sample("sample_victim")) << path;
    }
}

TEST_F(NamingTest, KnowsTheStartOfAFunctionWithoutNameFromItsFrameEntry) {
    Naming naming({loaded(TARE_SAMPLE_STRIPPED)}, {});
    const std::uint64_t start = sample("sample_hidden");
    const Function& function = naming.function_at(start + 1);
    EXPECT_EQ(function.source, NameSource::kFrameEntry);
    EXPECT_EQ(function.start, start);
    EXPECT_EQ(function.end, start + 2);
    std::ostringstream expected;
    expected << "naming_sample_stripped.so+0x" << std::hex << start - kBias;
    EXPECT_EQ(function.name, expected.str());
    EXPECT_EQ(naming.function_at(sample("sample_exported")).source, NameSource::kDynamicSymbols);
    EXPECT_EQ(naming.modules()[0].symbols, NameSource::kDynamicSymbols);
}

TEST_F(NamingTest, SaysOfAStrippedFileWhatItWouldSayOfTheWholeOneOrNothing) {
    const CodeModule module = loaded(TARE_SAMPLE);
    Naming whole({module}, {});
    Naming stripped({loaded(TARE_SAMPLE_STRIPPED)}, {});
    std::size_t named = 0;
    for (std::uint64_t address = module.start; address < module.end; ++address) {
        const Function& function = stripped.function_at(address);
        if (!core::is_name(function.source)) continue;
        EXPECT_EQ(function.name, whole.function_at(address).name);
        EXPECT_EQ(function.start, whole.function_at(address).start);
        ++named;
    }
    EXPECT_GT(named, 30U);
}

TEST_F(NamingTest, TellsApartFunctionsThatShareAFrameEntryAndEntriesThatShareAFunction) {
    Naming naming({loaded(TARE_SAMPLE)}, {});
    EXPECT_EQ(naming.function_at(sample("sample_entry1")).name, "sample_entry1");
    EXPECT_EQ(naming.function_at(sample("sample_entry2") + 1).name, "sample_entry2");
    EXPECT_EQ(&naming.function_at(sample("sample_pieces")), &naming.function_at(sample("sample_pieces") + 1));

    Naming stripped({loaded(TARE_SAMPLE_STRIPPED)}, {});
    EXPECT_EQ(stripped.function_at(sample("sample_entry1")).name, "sample_entry1");
    EXPECT_FALSE(core::is_name(stripped.function_at(sample("sample_entry2")).source));
}

TEST_F(NamingTest, TellsAPartFromAFunctionThatIsCalled) {
    Naming naming({loaded(TARE_SAMPLE)}, {});
    const Function& cold = naming.function_at(sample("sample_exported.cold"));
    const Function& part = naming.function_at(sample("sample_exported.part.0"));
    EXPECT_EQ(cold.name, "sample_exported");
    EXPECT_EQ(part.name, "sample_exported");
    EXPECT_TRUE(cold.is_part);
    EXPECT_FALSE(part.is_part);
    EXPECT_FALSE(naming.function_at(sample("sample_exported")).is_part);
}

TEST_F(NamingTest, ChoosesTheAliasThatIsForPeople) {
    Naming naming({loaded(TARE_SAMPLE)}, {});
    EXPECT_EQ(naming.function_at(sample("sample_al")).name, "sample_alias");
}

TEST_F(NamingTest, DemanglesAndCutsArguments) {
    Naming naming({loaded(TARE_SAMPLE)}, {});
    EXPECT_EQ(naming.function_at(sample("_ZN6sample5twiceIdEET_S1_")).name, "sample::twice");
}

TEST_F(NamingTest, NamesStubsByWhatTheyCall) {
    for (const char* path : {TARE_SAMPLE, TARE_SAMPLE_STRIPPED}) {
        const auto file = ElfFile::open(path);
        const CodeModule module = loaded(path);
        Naming naming({module}, {});
        std::vector<std::string> names;
        for (std::uint64_t a = module.start; a < module.end; ++a) {
            const Function& function = naming.function_at(a);
            if (function.source == NameSource::kStub && function.start == a) names.push_back(function.name);
        }
        EXPECT_THAT(names, ::testing::Contains("puts@plt")) << path;
    }
}

TEST_F(NamingTest, FindsASeparateDebugFileBesideTheLibrary) {
    Naming naming({loaded(TARE_SAMPLE_LINKED)}, {});
    const Function& function = naming.function_at(sample("sample_hidden"));
    EXPECT_EQ(function.name, "sample_hidden");
    EXPECT_EQ(function.source, NameSource::kDebugFile);
    EXPECT_EQ(function.start, sample("sample_hidden"));
    EXPECT_EQ(naming.modules()[0].symbols, NameSource::kDebugFile);
}

TEST_F(NamingTest, ReadsTheSmallSymbolTableThatSomeDistributionsCompress) {
    Naming naming({loaded(TARE_SAMPLE_MINI)}, {});
    EXPECT_EQ(naming.function_at(sample("sample_hidden")).name, "sample_hidden");
    EXPECT_EQ(naming.function_at(sample("sample_hidden")).source, NameSource::kMiniDebug);
    EXPECT_EQ(naming.function_at(sample("sample_exported")).name, "sample_exported");
}

TEST_F(NamingTest, PutsPythonsNameBesideTheFilesOwnAndInPlaceOfNone) {
    const std::vector<core::PythonName> names = {{sample("sample_exported"), "ndarray.sum"},
                                                 {sample("sample_hidden"), "add[dd->d]"},
                                                 {sample("sample_endless"), "endless"}};
    Naming naming({loaded(TARE_SAMPLE_STRIPPED)}, names);
    EXPECT_EQ(naming.function_at(sample("sample_exported")).name, "sample_exported");
    EXPECT_EQ(naming.function_at(sample("sample_exported")).alias, "ndarray.sum");
    const Function& hidden = naming.function_at(sample("sample_hidden") + 1);
    EXPECT_EQ(hidden.name, "add[dd->d]");
    EXPECT_EQ(hidden.source, NameSource::kPython);
    EXPECT_THAT(hidden.alias, IsEmpty());
    EXPECT_EQ(naming.function_at(sample("sample_endless")).name, "endless");
}

TEST_F(NamingTest, FillsInNamesThatALaterTraceTells) {
    Naming naming({loaded(TARE_SAMPLE_STRIPPED)}, {});
    const Function& hidden = naming.function_at(sample("sample_hidden"));
    ASSERT_EQ(hidden.source, NameSource::kFrameEntry);
    naming.add({loaded(TARE_SAMPLE_STRIPPED)}, {{sample("sample_hidden"), "float.nb_add"}});
    EXPECT_EQ(hidden.name, "float.nb_add");
    EXPECT_EQ(&naming.function_at(sample("sample_hidden")), &hidden);
    EXPECT_EQ(naming.modules().size(), 1U);
}

TEST_F(NamingTest, GivesNoNamesFromAFileThatWasReplaced) {
    CodeModule module = loaded(TARE_SAMPLE);
    module.build_id = "0011223344556677889900112233445566778899";
    Naming naming({module}, {{sample("sample_exported"), "ndarray.sum"}});
    EXPECT_EQ(naming.function_at(sample("sample_hidden")).source, NameSource::kNone);
    EXPECT_EQ(naming.function_at(sample("sample_exported")).name, "ndarray.sum");
    EXPECT_THAT(naming.modules()[0].problem, HasSubstr("replaced"));
    EXPECT_FALSE(naming.address_of("sample_exported"));
}

TEST_F(NamingTest, GivesNoNamesFromAnotherFileWhereNoneHasABuildId) {
    CodeModule module = loaded(TARE_SAMPLE_WITHOUT_ID);
    ASSERT_THAT(module.build_id, IsEmpty());
    Naming same({module}, {});
    EXPECT_EQ(same.function_at(sample("sample_exported")).name, "sample_exported");
    module.end += 1 << 20;
    Naming other({module}, {});
    EXPECT_EQ(other.function_at(sample("sample_exported")).source, NameSource::kNone);
    EXPECT_THAT(other.modules()[0].problem, HasSubstr("segments"));
}

TEST_F(NamingTest, SaysWhatIsWrongWithAFile) {
    CodeModule module = loaded(TARE_SAMPLE);
    const std::vector<std::pair<std::string, std::string>> cases = {
        {"/nowhere/lib.so", "No such file"},
        {"/nowhere/lib.so (deleted)", "removed"},
        {"/dev/null", "no regular file"},
        {::testing::TempDir(), "no regular file"},
        {temporary("text", "not an ELF file"), "no ELF file"},
        {temporary("empty", ""), "no ELF file"},
        {temporary("cut", contents(TARE_SAMPLE).substr(0, 5000)), "cut off"}};
    for (const auto& [path, problem] : cases) {
        module.path = path;
        Naming naming({module}, {});
        EXPECT_EQ(naming.function_at(module.start).source, NameSource::kNone) << path;
        EXPECT_THAT(naming.modules()[0].problem, HasSubstr(problem)) << path;
    }
}

TEST_F(NamingTest, PutsMemoryWithoutFileIntoOneModule) {
    Naming naming({loaded(TARE_SAMPLE), CodeModule{"", "", 0, 0x1000, 0x2000}, CodeModule{"", "", 0, 0x5000, 0x6000},
                   CodeModule{"[vdso]", "", 0x9000, 0x9000, 0xa000}},
                  {});
    EXPECT_EQ(naming.function_at(0x1010).module, naming.function_at(0x5010).module);
    EXPECT_EQ(naming.function_at(0x1010).module, naming.function_at(0x77777).module);
    EXPECT_EQ(naming.modules()[naming.function_at(0x1010).module].module.path, "");
    EXPECT_EQ(naming.function_at(0x1010).name, "[compiled]+0x1010");
    EXPECT_EQ(naming.function_at(0x9010).name, "[vdso]+0x10");
    EXPECT_EQ(naming.modules()[naming.function_at(0x9010).module].module.path, "[vdso]");
    EXPECT_EQ(naming.modules().size(), 3U);
}

TEST_F(NamingTest, NamesCodeCompiledAtRunTimeFromAPerfMap) {
    Naming naming({loaded(TARE_SAMPLE)}, {});
    EXPECT_EQ(naming.function_at(0x1008).source, NameSource::kNone);
    EXPECT_EQ(naming.add_perf_map("1000 20 py::f:/tmp/a.cold\n1020 8 _ZN1a1fEi\nbad\n"), 1U);
    const Function& function = naming.function_at(0x1008);
    EXPECT_EQ(function.name, "py::f:/tmp/a.cold");
    EXPECT_EQ(function.source, NameSource::kJit);
    EXPECT_EQ(function.start, 0x1000U);
    EXPECT_EQ(function.end, 0x1020U);
    EXPECT_EQ(naming.function_at(0x1027).name, "a::f");
    EXPECT_EQ(naming.modules()[function.module].symbols, NameSource::kJit);
    naming.add_perf_map("1000 20 other\n");
    EXPECT_EQ(naming.function_at(0x1008).name, "other");
    EXPECT_EQ(function.name, "py::f:/tmp/a.cold");
}

TEST_F(NamingTest, KnowsOneFileOfSeveralRangesAsOneModule) {
    CodeModule first = loaded(TARE_SAMPLE);
    CodeModule second = first;
    first.end = second.start = sample("sample_bare");
    Naming naming({first, second}, {});
    EXPECT_EQ(naming.function_at(sample("sample_hidden")).module, naming.function_at(sample("sample_bare")).module);
    EXPECT_EQ(naming.modules().size(), 1U);
}

TEST_F(NamingTest, ForgetsAFileWhereAnotherWasLoadedLater) {
    Naming naming({loaded(TARE_SAMPLE)}, {});
    EXPECT_EQ(naming.function_at(sample("sample_hidden")).module, 0U);
    CodeModule later = loaded(TARE_SAMPLE_STRIPPED);
    later.start -= 1;
    naming.add({later}, {});
    EXPECT_EQ(naming.function_at(sample("sample_hidden")).module, 1U);
    EXPECT_EQ(naming.function_at(sample("sample_hidden")).source, NameSource::kFrameEntry);
}

TEST_F(NamingTest, FindsAddressesOfDataAndOfLocalSymbols) {
    Naming naming({CodeModule{"/nowhere", "", 0, 1, 2}, loaded(TARE_SAMPLE)}, {});
    EXPECT_TRUE(naming.address_of("sample_data"));
    EXPECT_TRUE(naming.address_of("sample_hidden"));
    EXPECT_FALSE(naming.address_of("sample_hidde"));
    EXPECT_FALSE(naming.address_of("sample_hidden_"));
    EXPECT_FALSE(naming.address_of("puts"));
    Naming stripped({loaded(TARE_SAMPLE_STRIPPED)}, {});
    EXPECT_EQ(stripped.address_of("sample_data"), naming.address_of("sample_data"));
    EXPECT_FALSE(stripped.address_of("sample_hidden"));
}

TEST_F(NamingTest, SurvivesDamagedFiles) {
    std::mt19937_64 random(20'261'123);
    const CodeModule good = loaded(TARE_SAMPLE_LINKED);
    const std::string bytes = contents(TARE_SAMPLE_LINKED);
    std::size_t read = 0;
    for (int i = 0; i < 300; ++i) {
        std::string damaged = bytes;
        for (int flips = 1 + static_cast<int>(random() % 8); flips > 0; --flips) {
            // Headers and the section table, at the file's ends, decide what is read: half of the damage goes there.
            const std::size_t zone = random() % 4 == 0 ? 64 : random() % 2 == 0 ? 2048 : bytes.size();
            const std::size_t at = random() % zone;
            damaged[random() % 2 == 0 ? at : bytes.size() - 1 - at] = static_cast<char>(random());
        }
        if (random() % 8 == 0) damaged.resize(random() % damaged.size());
        CodeModule module = good;
        module.path = temporary("damaged", damaged);
        Naming naming({module}, {});
        for (std::uint64_t address = good.start; address < good.end; address += 3)
            EXPECT_FALSE(naming.function_at(address).name.empty());
        read += naming.modules()[0].problem.empty() ? 1 : 0;
    }
    EXPECT_GT(read, 30U);
    EXPECT_LT(read, 300U);
}

}  // namespace
}  // namespace tare::attribution
