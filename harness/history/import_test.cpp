// At stake: importing twice adds nothing, a newer file replaces its record, and one bad file of a thousand stops no
// other.
#include "harness/history/import.h"

#include <gmock/gmock.h>

#include <fstream>

#include "harness/history/foreign_date.h"
#include "harness/history/foreign_json.h"
#include "harness/history/gunzip.h"
#include "harness/record/scratch_folder.h"

namespace tare::history {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

std::string asv_file(const std::string& commit, const std::string& value) {
    return R"({"commit_hash": ")" + commit + R"(", "env_name": "e", "date": 1600000000000, "python": "3.11",
        "params": {"machine": "desk"}, "version": 2, "result_columns": ["result", "params", "version"],
        "results": {"m.time_x": [[)" +
           value + R"(], [], "v"]}})";
}

class Import : public testing::Test {
  protected:
    void SetUp() override { ASSERT_TRUE(record::create_folders(store_)); }
    std::string put(const std::string& name, const std::string& text) {
        const std::filesystem::path path = folder_.path() / name;
        std::filesystem::create_directories(path.parent_path());
        std::ofstream(path, std::ios::binary) << text;
        return path.string();
    }
    std::vector<ImportStanding> imported(const std::vector<std::string>& paths, const ImportOptions& options = {}) {
        files_ = import_files(store_, paths, options, nullptr).files;
        std::vector<ImportStanding> standings;
        for (const ImportedFile& file : files_) standings.push_back(file.standing);
        return standings;
    }
    std::string in_folder(const std::string& name) { return (folder_.path() / name).string(); }

    record::ScratchFolder folder_;
    record::Store store_{folder_.path() / "store"};
    std::vector<ImportedFile> files_;
};

TEST_F(Import, TwiceAddsNothingAndANewerFileReplacesItsRecord) {
    const std::string path = put("results/desk/c1-e.json", asv_file("c1", "1e-3"));
    EXPECT_THAT(imported({path}), ElementsAre(ImportStanding::kAdded));
    EXPECT_THAT(imported({path}), ElementsAre(ImportStanding::kAlreadyThere));
    put("results/desk/c1-e.json", asv_file("c1", "2e-3"));
    EXPECT_THAT(imported({path}), ElementsAre(ImportStanding::kUpdated));
    put("results/desk/c1-e.json", asv_file("c2", "2e-3"));
    EXPECT_THAT(imported({path}), ElementsAre(ImportStanding::kAdded)) << "another commit of the same second";
    EXPECT_THAT(record::list_records(store_), SizeIs(2));
    const auto read = record::read_record(files_[0].record);
    ASSERT_TRUE(read.has_value()) << read.error().what;
    EXPECT_EQ(read->visits[0].case_name, "m.time_x");
}

TEST_F(Import, AFolderIsReadWithWhatLiesBesideIt) {
    put("asv.conf.json", "{ // comment\n \"project\": \"numpy\" }");
    put("results/benchmarks.json", R"({"version": 2, "m.time_x": {"type": "track", "param_names": []}})");
    put("results/desk/machine.json", R"({"machine": "desk", "cpu": "Some CPU", "version": 1})");
    put("results/desk/c1-e.json", asv_file("c1", "1e-3"));
    EXPECT_THAT(imported({in_folder("results")}), ElementsAre(ImportStanding::kNothing))
        << "tracked, by benchmarks.json";
    put("results/benchmarks.json", R"({"version": 2, "m.time_x": {"type": "time", "param_names": []}})");
    EXPECT_THAT(imported({in_folder("results/desk")}), ElementsAre(ImportStanding::kAdded));
    const auto read = record::read_record(files_[0].record);
    ASSERT_TRUE(read.has_value());
    EXPECT_EQ(read->context["numpy"]["git_revision"].as_text(), "c1");
    EXPECT_EQ(read->context["cpu_model"].as_text(), "Some CPU");
}

TEST_F(Import, RefusesFilesByNameAndTakesTheOthers) {
    put("results/a.json", asv_file("c1", "1e-3"));
    put("results/b.json", "{");
    put("results/c.json", R"({"hello": 1})");
    put("results/d.json", "");
    EXPECT_THAT(imported({in_folder("results"), in_folder("nowhere")}),
                ElementsAre(ImportStanding::kRefused, ImportStanding::kAdded, ImportStanding::kRefused,
                            ImportStanding::kRefused, ImportStanding::kRefused));
    EXPECT_THAT(files_[0].error->what, HasSubstr("No such file"));
    EXPECT_THAT(files_[2].error->what, HasSubstr("'b.json' is damaged"));
    EXPECT_THAT(files_[3].error->what,
                HasSubstr("is JSON with 'hello', but no result of asv, pyperf, Google Benchmark or pytest-benchmark"));
    EXPECT_THAT(files_[4].error->what, HasSubstr("is empty"));
    put("nothing/readme.txt", "x");
    EXPECT_THAT(imported({in_folder("nothing")}), ElementsAre(ImportStanding::kRefused));
    EXPECT_THAT(files_[0].error->hint, HasSubstr("benchmarks.json"));
}

TEST_F(Import, AFilterChoosesCases) {
    const std::string path = put("a.json", asv_file("c1", "1e-3"));
    ImportOptions options;
    options.hints.wanted = [](const std::string& name) { return name == "other"; };
    EXPECT_THAT(imported({path}, options), ElementsAre(ImportStanding::kNothing));
    EXPECT_EQ(files_[0].counts.not_wanted, 1U);
}

std::string pyperf_file(const std::vector<std::pair<std::string, std::string>>& benchmarks) {
    std::string text;
    for (const auto& [name, date] : benchmarks)
        text += (text.empty() ? "" : ",") +
                (R"({"metadata": {"name": ")" + name + R"("}, "runs": [{"metadata": {"date": ")" + date +
                 R"("}, "values": [1e-6]}]})");
    return R"({"version": "1.0", "metadata": {"hostname": "desk"}, "benchmarks": [)" + text + "]}";
}

std::vector<std::string> cases_in(const std::filesystem::path& path) {
    std::vector<std::string> names;
    if (const auto read = record::read_record(path))
        for (const core::Visit& visit : read->visits) names.push_back(visit.case_name);
    return names;
}

TEST_F(Import, AFileThatWasAppendedToReplacesItsRecordUnderWhateverName) {
    const std::string first = "2024-05-01 10:00:00.25", second = "2024-05-01 10:05:00.5";
    EXPECT_THAT(imported({put("p.json", pyperf_file({{"a", first}}))}), ElementsAre(ImportStanding::kAdded));
    EXPECT_THAT(imported({put("p.json", pyperf_file({{"a", first}, {"b", second}}))}),
                ElementsAre(ImportStanding::kUpdated));
    EXPECT_THAT(imported({put("renamed.json", pyperf_file({{"b", second}, {"a", first}}))}),
                ElementsAre(ImportStanding::kUpdated));
    EXPECT_THAT(record::list_records(store_), SizeIs(1)) << "two would be two points of overlapping runs";
    EXPECT_THAT(cases_in(files_[0].record), testing::UnorderedElementsAre("a", "b"));
    EXPECT_THAT(imported({put("q.json", pyperf_file({{"c", first}}))}), ElementsAre(ImportStanding::kAdded))
        << "another suite of the same moment";
    EXPECT_THAT(imported({put("r.json", pyperf_file({{"a", "2024-05-01 10:00:00.75"}}))}),
                ElementsAre(ImportStanding::kAdded))
        << "half a second later";
}

TEST_F(Import, AnotherFilterAddsItsCasesToThoseThatAreThere) {
    const std::string path =
        put("p.json",
            pyperf_file({{"a", "2024-05-01 10:00:00"}, {"b", "2024-05-01 10:00:01"}, {"c", "2024-05-01 10:00:02"}}));
    const auto only = [](const std::string& wanted) {
        ImportOptions options;
        options.hints.wanted = [wanted](const std::string& name) { return name == wanted; };
        return options;
    };
    EXPECT_THAT(imported({path}, only("a")), ElementsAre(ImportStanding::kAdded));
    EXPECT_THAT(imported({path}, only("b")), ElementsAre(ImportStanding::kUpdated));
    EXPECT_THAT(cases_in(files_[0].record), ElementsAre("a", "b"));
    EXPECT_THAT(imported({path}, only("a")), ElementsAre(ImportStanding::kAlreadyThere));
    EXPECT_THAT(imported({path}, only("none")), ElementsAre(ImportStanding::kAlreadyThere));
    EXPECT_THAT(imported({path}), ElementsAre(ImportStanding::kUpdated));
    EXPECT_THAT(cases_in(files_[0].record), ElementsAre("a", "b", "c"));
}

TEST_F(Import, TwoCallsOfAProgramWithinASecondAreTwoRecords) {
    const auto file = [](const std::string& executable, const std::string& name) {
        return R"({"context": {"date": "2024-05-01 10:00:00", "host_name": "desk", "executable": ")" + executable +
               R"("}, "benchmarks": [{"name": ")" + name +
               R"(", "iterations": 1, "real_time": 1, "time_unit": "ns"}]})";
    };
    EXPECT_THAT(
        imported({put("1.json", file("./json", "BM_a")), put("2.json", file("./json", "BM_b")),
                  put("3.json", file("./xml", "BM_a")), put("4.json", file("./json", "BM_a"))}),
        ElementsAre(ImportStanding::kAdded, ImportStanding::kAdded, ImportStanding::kAdded, ImportStanding::kUpdated));
    EXPECT_THAT(record::list_records(store_), SizeIs(3));
}

TEST_F(Import, ANameForTheMachineReplacesThatOfTheFile) {
    ImportOptions options;
    options.hints.machine = "lab-3";
    const std::string path = put("a.json", asv_file("c1", "1e-3"));
    EXPECT_THAT(imported({path}, options), ElementsAre(ImportStanding::kAdded));
    const auto read = record::read_record(files_[0].record);
    ASSERT_TRUE(read.has_value());
    EXPECT_EQ(read->context["host_name"].as_text(), "lab-3");
    EXPECT_THAT(imported({path}), ElementsAre(ImportStanding::kAdded)) << "as the file says: another machine";
}

TEST(DetectFormat, GoesByTheContent) {
    EXPECT_EQ(detect_format(asv_file("c", "1"), "x"), ForeignFormat::kAsv);
    EXPECT_EQ(detect_format(R"({"version": "1.0", "benchmarks": [{"runs": []}]})", "x"), ForeignFormat::kPyperf);
    EXPECT_EQ(detect_format(R"({"context": {}, "benchmarks": []})", "x"), ForeignFormat::kGbench);
    EXPECT_EQ(detect_format(R"({"machine_info": {}, "benchmarks": []})", "x"), ForeignFormat::kPytestBenchmark);
    EXPECT_THAT(detect_format("[1]", "x").error().what, HasSubstr("is JSON of type array, but"));
    EXPECT_EQ(detect_format(R"({"version": 1, "commit_hash": "c", "results": {}})", "x"), ForeignFormat::kAsv)
        << "its parser tells the version";
    EXPECT_THAT(detect_format(R"({"context": {"tare": {}}, "benchmarks": []})", "x").error().what,
                HasSubstr("a record of tare already"));
    EXPECT_THAT(detect_format(R"({"m.time_x": {"param_names": []}})", "x").error().what,
                HasSubstr("list of benchmarks"));
}

TEST(Gunzip, UnpacksAllMembersAndRefusesDamage) {
    // printf 'tare' | gzip -n
    const std::string packed(
        "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\x2b\x49\x2c\x4a\x05\x00\x63\xc7\xdd\xac\x04\x00\x00\x00", 24);
    ASSERT_TRUE(is_gzip(packed));
    EXPECT_EQ(gunzip(packed, "x", 100), "tare");
    EXPECT_EQ(gunzip(packed + packed, "x", 100), "taretare");
    EXPECT_FALSE(gunzip(packed, "x", 3)) << "more than is allowed";
    for (std::size_t size = 2; size < packed.size(); ++size)
        EXPECT_FALSE(gunzip(packed.substr(0, size), "x", 100)) << size;
    std::string wrong = packed;
    wrong[18] = 'x';
    EXPECT_FALSE(gunzip(wrong, "x", 100)) << "the checksum";
}

TEST(ForeignJson, ReadsBareNumbersThatAreNone) {
    EXPECT_EQ(with_quoted_numbers(R"([NaN, -Infinity, Infinity, -1, "NaN \" NaN"])"),
              R"(["NaN", "-Infinity", "Infinity", -1, "NaN \" NaN"])");
    EXPECT_EQ(with_quoted_numbers("\"open NaN"), "\"open NaN");
    EXPECT_FALSE(parse_foreign(std::string(200'000, '['), "x"));
    EXPECT_FALSE(parse_foreign("[1e999]", "x"));
    EXPECT_TRUE(parse_foreign(std::string(100, '[') + std::string(100, ']'), "x"));
}

TEST(ForeignDate, IsReadInItsVariants) {
    for (const char* text : {"2024-05-01 10:00:00", "2024-05-01T10:00:00.123456", "2024-05-01T12:00:00+02:00",
                             "2024-05-01T07:30:00-0230", "2024-05-01T10:00:00Z"})
        EXPECT_EQ(parse_date(text), 1714557600) << text;
    for (const char* text : {"", "today", "2024-02-30 10:00:00", "1950-01-01 10:00:00", "2024-05-01",
                             "2024-05-01 10:00:00 PM", "2024-05-01 25:00:00", "-024-05-01 10:00:00"})
        EXPECT_FALSE(parse_date(text)) << text;
    EXPECT_EQ(date_text(1714557600), "2024-05-01T10:00:00+00:00");
}

}  // namespace
}  // namespace tare::history
