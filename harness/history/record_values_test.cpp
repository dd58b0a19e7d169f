// At stake: 9 kB of 8 MB say what a record holds; a value under a wrong key, or of a case that failed, moves a trend.
#include "harness/history/record_values.h"

#include <gmock/gmock.h>

#include <fstream>
#include <functional>
#include <set>
#include <sstream>

#include "harness/history/record_surroundings.h"
#include "harness/record/sample_counters.h"
#include "harness/record/sample_duet.h"
#include "harness/record/sample_ledger.h"
#include "harness/record/sample_run.h"

namespace tare::history {
namespace {

using core::SeriesUnit;
using testing::Contains;
using testing::DoubleNear;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

std::string text_of(const record::Record& run) {
    std::string text;
    EXPECT_TRUE(record::print_record(run, record::summarize(run), [&](std::string_view piece) {
        text += piece;
        return core::Status();
    }));
    return text;
}

std::string text_of(const record::Duet& duet) {
    std::string text;
    EXPECT_TRUE(record::print_duet(duet, record::decide(duet), [&](std::string_view piece) {
        text += piece;
        return core::Status();
    }));
    return text;
}

RecordValues read(const std::string& text) {
    auto values = read_values(text, "20231114T221320Z-00000001.json");
    EXPECT_TRUE(values) << values.error().what;
    return values.value_or(RecordValues{});
}

MetricValues metric(const RecordValues& values, const std::string& name) {
    for (const MetricValues& each : values.metrics)
        if (each.metric == name) return each;
    ADD_FAILURE() << "no metric " << name;
    return {};
}

record::Record run() {
    record::Record run = record::sample_run(5);
    core::Map context = run.context.as_map();
    context.insert_or_assign("fingerprint", "0123456789abcdef");
    context.insert_or_assign("host", "executable");
    context.insert_or_assign("cpu_model", "Z");
    context.insert_or_assign("numpy", core::Map{{"version", "2.4.6"}, {"git_revision", "b832a0"}});
    context.insert_or_assign("subject", core::Map{{"version", "3.11.2"}, {"abi", "cpython-311-x86_64-linux-gnu"}});
    run.context = std::move(context);
    core::Map settings = run.settings.as_map();
    settings.insert_or_assign("threads", 1);
    run.settings = std::move(settings);
    return run;
}

TEST(RecordValues, OfARunAreItsTimesWithIntervalsAndProcesses) {
    const RecordValues values = read(text_of(run()));
    const MetricValues gross = metric(values, "gross");
    EXPECT_EQ(gross.unit, SeriesUnit::kNanoseconds);
    EXPECT_THAT(gross.values, Contains(Field(&CaseValue::case_name, "add[kind=array,dtype=f8,n=8]")));
    const CaseValue& first = gross.values.front();
    EXPECT_EQ(first.case_name, "add[kind=float]");
    EXPECT_EQ(first.processes, 5);
    ASSERT_TRUE(first.low && first.high);
    EXPECT_LT(*first.low, first.value);
    EXPECT_GT(*first.high, first.value);
    EXPECT_EQ(first.computed_ratio, std::nullopt) << "it does not say at which clock";
    EXPECT_THAT(metric(values, "net").values, Not(Contains(Field(&CaseValue::case_name, "add[kind=float]"))))
        << "it has no kernel";
    EXPECT_THAT(metric(values, "tare").values, Not(Contains(Field(&CaseValue::case_name, "sum[dtype=f8,n=8]"))))
        << "net exceeds gross";
}

TEST(RecordValues, SayWhatOfATimeFollowsTheClockItIsSaidAt) {
    record::Record at_clock = run();
    core::Map context = at_clock.context.as_map();
    context.insert_or_assign("references", core::Map{{"at_clock_ghz", 3.1}});
    at_clock.context = std::move(context);
    for (core::Visit& visit : at_clock.visits)
        for (core::RungVisit& rung : visit.rungs)
            for (core::Sample& sample : rung.samples) sample.cpu_ns = 0.25 * sample.wall_ns;
    at_clock.ledgers = {record::add_ledger()};
    const RecordValues values = read(text_of(at_clock));
    EXPECT_EQ(values.record.at_clock_ghz, 3.1);
    for (const char* time : {"gross", "net", "tare"})  // the floor, of 4 ns a pass, is taken off both
        for (const CaseValue& each : metric(values, time).values)
            EXPECT_NEAR(each.computed_ratio.value_or(-1), 0.25, 0.02) << time << ' ' << each.case_name;
    for (const CaseValue& each : metric(values, "instructions").values) EXPECT_EQ(each.computed_ratio, std::nullopt);
}

TEST(RecordValues, OfAFailedCaseAreNone) {
    const RecordValues values = read(text_of(run()));
    for (const MetricValues& each : values.metrics)
        EXPECT_THAT(each.values, Not(Contains(Field(&CaseValue::case_name, "crash[n=1]")))) << each.metric;
    EXPECT_EQ(values.record.cases, 7U) << "it is one of the record's cases all the same";
}

/// What others took of the core is no change of the code: a busy hour must not make a step in a trend.
TEST(RecordValues, OfBusyBatchesAreNoTimesButCountsAllTheSame) {
    const auto beside_neighbour = [](record::Record record, const std::string& case_name) {
        record.ledgers = {record::add_ledger()};
        for (core::Visit& visit : record.visits)
            for (core::RungVisit& rung : visit.rungs)
                for (core::Sample& sample : rung.samples)
                    sample.references = {visit.case_name == case_name ? 3100.0 : 2020.0, 901};
        return record;
    };
    const record::Record measured = record::with_references(run());
    const record::Record quiet = beside_neighbour(measured, ""), busy = beside_neighbour(measured, "add[kind=float]");
    const RecordValues all = read(text_of(quiet)), rest = read(text_of(busy));
    EXPECT_EQ(all.record.busy_cases, 0U);
    EXPECT_EQ(rest.record.busy_cases, 1U);
    const auto of_float = Contains(Field(&CaseValue::case_name, "add[kind=float]"));
    EXPECT_THAT(metric(all, "gross").values, of_float);
    EXPECT_THAT(metric(rest, "gross").values, Not(of_float));
    EXPECT_EQ(metric(rest, "gross").values.size() + 1, metric(all, "gross").values.size());
    EXPECT_EQ(metric(rest, "instructions"), metric(all, "instructions"));
}

TEST(RecordValues, OfOneProcessSayOne) {
    record::Record one = run();
    one.visits = record::sample_run(1).visits;
    const MetricValues gross = metric(read(text_of(one)), "gross");
    for (const CaseValue& value : gross.values) EXPECT_EQ(value.processes, 1);
}

TEST(RecordValues, HoldTheLedgersCountWithItsRange) {
    record::Record with_ledgers = run();
    with_ledgers.ledgers = {record::add_ledger()};
    const MetricValues instructions = metric(read(text_of(with_ledgers)), "instructions");
    EXPECT_EQ(instructions.unit, SeriesUnit::kCount);
    ASSERT_EQ(instructions.values.size(), 1U);
    const record::Summary summary = record::summarize(with_ledgers);
    const core::Count* count = summary.instructions_of(instructions.values[0].case_name);
    ASSERT_NE(count, nullptr);
    EXPECT_EQ(instructions.values[0].value, static_cast<double>(count->value));
    EXPECT_EQ(instructions.values[0].low, static_cast<double>(count->lowest));
    EXPECT_EQ(instructions.values[0].high, static_cast<double>(count->highest));
}

TEST(RecordValues, HoldCountersByTheirColumnsAndNothingForThoseThatAreUnavailable) {
    const RecordValues values = read(text_of(record::run_with_pmu(3)));
    EXPECT_EQ(metric(values, "cycles").unit, SeriesUnit::kCount);
    EXPECT_FALSE(metric(values, "cycles").values.empty());
    const RecordValues without = read(text_of(record::run_without_pmu(1)));
    for (const MetricValues& each : without.metrics) EXPECT_NE(each.metric, "cycles");
}

TEST(RecordValues, SayWhereARunWasMade) {
    const IndexedRecord record = read(text_of(run())).record;
    EXPECT_EQ(record.kind, "run");
    EXPECT_EQ(record.date_s, 1'700'000'000);
    EXPECT_THAT(record.machine, StartsWith("0123456789abcdef-")) << "--machine goes by the beginning";
    EXPECT_EQ(record.machine_text, "Z, 2 CPUs, host probe");
    EXPECT_EQ(record.environment, "CPython 3.11.2, executable, 1 thread") << "and not NumPy's version";
    EXPECT_EQ(record.version, "2.4.6");
    EXPECT_EQ(record.commit, "b832a0");
    EXPECT_EQ(record.reference, "");
}

/// With one fact of the context changed.
IndexedRecord with(const char* fact, core::Value value) {
    record::Record changed = run();
    core::Map context = changed.context.as_map();
    context.insert_or_assign(fact, std::move(value));
    changed.context = std::move(context);
    return read(text_of(changed)).record;
}

TEST(RecordValues, MeasuredUnderOtherSettingsAreOfAnotherMachineWithTheSameFingerprint) {
    const std::string before = read(text_of(run())).record.machine;
    for (const auto& [fact, value] : {std::pair<const char*, core::Value>{"num_cpus", 64},
                                      {"governors", core::List{"performance", "performance"}},
                                      {"turbo", false},
                                      {"smt", "off"},
                                      {"transparent_hugepage", "always"},
                                      {"clocksource", "hpet"},
                                      {"aslr", 0},
                                      {"hypervisor_vendor", "Xen"}}) {
        const std::string after = with(fact, value).machine;
        EXPECT_NE(after, before) << fact;
        EXPECT_EQ(after.substr(0, 17), before.substr(0, 17)) << fact;
    }
    EXPECT_EQ(with("governors", core::List{"performance", "performance"}).machine_text,
              "Z, 2 CPUs, governor performance, host probe");
    EXPECT_EQ(with("tare_version", "9.0").machine, before) << "every history would end with each release of tare";
    EXPECT_EQ(with("host_name", "renamed").machine, before);
    EXPECT_EQ(machine_of(core::Map{{"fingerprint", "0123456789abcdef"}}), "0123456789abcdef") << "nothing else known";
    EXPECT_EQ(machine_of({}), "unknown");
}

TEST(RecordValues, NameTheSameMachineAsTheFactsThatWereRecorded) {
    const core::Map facts = {{"fingerprint", "0123456789abcdef"},
                             {"cpu_model", "Z"},
                             {"num_cpus", 2},
                             {"governors", core::List{"powersave", "powersave"}},
                             {"turbo", true},
                             {"aslr", 2},
                             {"smt", core::Value()}};
    record::Record recorded = run();
    core::Map context = recorded.context.as_map();
    for (const auto& [fact, value] : facts) context.insert_or_assign(fact, value);
    recorded.context = std::move(context);
    EXPECT_EQ(read(text_of(recorded)).record.machine, machine_of(facts)) << "a duet that confirms is found by it";
}

TEST(RecordValues, OfAnotherBuildOfTheInterpreterAreInAnEnvironmentOfTheirOwn) {
    const core::Map subject = {
        {"version", "3.11.2"}, {"executable_build_id", "571d98e01096d5c1"}, {"libpython_build_id", ""}};
    EXPECT_EQ(with("subject", subject).environment, "CPython 3.11.2, executable, 1 thread, build 571d98e0");
}

TEST(RecordValues, OfOtherProjectsAndProgramsAreInEnvironmentsOfTheirOwn) {
    const auto environment = [](core::Map facts) {
        record::Record imported = run();
        imported.settings = core::Map{};
        facts.insert_or_assign("date", "2023-11-14T22:13:20+00:00");
        imported.context = std::move(facts);
        return read(text_of(imported)).record.environment;
    };
    const core::Map gbench = {{"tool", "Google Benchmark"}};
    EXPECT_EQ(
        environment({{"imported_from", gbench}, {"host", "Google Benchmark"}, {"executable", "./out/json_bench"}}),
        "json_bench, Google Benchmark");
    EXPECT_EQ(environment({{"imported_from", gbench}, {"project", "json"}, {"executable", "b"}}), "project json");
    EXPECT_EQ(environment({{"imported_from", core::Map{{"tool", "asv"}, {"environment", "virtualenv-py3.11"}}},
                           {"project", "scipy"},
                           {"python", core::Map{{"version", "3.11"}}},
                           {"host", "asv"}}),
              "project scipy, CPython 3.11, asv, virtualenv-py3.11");
    EXPECT_EQ(environment({{"imported_from", core::Map{{"tool", "pyperf"}}}, {"executable", "/usr/bin/python3"}}), "")
        << "where an interpreter lies says nothing";
}

/// A run's text with its top-level object changed.
std::string changed_text(const std::function<void(record::Json& document)>& change) {
    record::Json document = record::Json::parse(text_of(run()));
    change(document);
    return document.dump();
}

TEST(RecordValues, OfCountersNeverEnterTheSeriesOfATime) {
    const RecordValues values = read(changed_text([](record::Json& document) {
        for (const char* name : {"gross", "net", "anchored", "instructions", "counted_net", "llc"})
            document["tare"]["cases"][0]["counters"][name] = {{"value", 3.0}};
    }));
    std::size_t counts = 0;
    for (const MetricValues& each : values.metrics) {
        EXPECT_EQ(each.unit == SeriesUnit::kCount, each.metric.starts_with("counted_") || each.metric == "llc")
            << each.metric;
        counts += each.unit == SeriesUnit::kCount ? 1 : 0;
        std::set<std::string> names;
        for (const CaseValue& value : each.values) EXPECT_TRUE(names.insert(value.case_name).second) << each.metric;
    }
    EXPECT_EQ(counts, 6U);
}

TEST(RecordValues, OfACaseListedTwiceAreDamage) {
    const auto values = read_values(
        changed_text([](record::Json& document) { document["tare"]["cases"].push_back(document["tare"]["cases"][0]); }),
        "x.json");
    ASSERT_FALSE(values);
    EXPECT_EQ(values.error().code, core::ErrorCode::kData);
    EXPECT_THAT(values.error().what, HasSubstr("'x.json' is damaged"));
    EXPECT_THAT(values.error().what, HasSubstr("listed twice"));
}

TEST(RecordValues, WithoutADateHaveNoPlaceInASeries) {
    const std::string text = changed_text([](record::Json& document) {
        document["context"]["date"] = nullptr;
        document["context"]["tare"]["date"] = "yesterday";
    });
    const auto values = read_values(text, "x.json");
    ASSERT_FALSE(values) << "1970 is no date of a run";
    EXPECT_EQ(values.error().code, core::ErrorCode::kData);
    EXPECT_THAT(values.error().what, HasSubstr("no date"));
    EXPECT_EQ(read_values(text, "20231114T221320Z-00000001.json")->record.date_s, 1'700'000'000) << "its name has one";
}

TEST(RecordValues, OfFreeThreadedPythonAreInAnEnvironmentOfTheirOwn) {
    record::Record free = run();
    core::Map context = free.context.as_map();
    context.insert_or_assign("subject", core::Map{{"version", "3.13.1"}, {"abi", "cpython-313t-x86_64-linux-gnu"}});
    free.context = std::move(context);
    EXPECT_EQ(read(text_of(free)).record.environment, "CPython 3.13.1t, executable, 1 thread");
}

TEST(RecordValues, MeasuredUnderVariablesThatChooseKernelsAreInAnEnvironmentOfTheirOwn) {
    record::Record forced = run();
    core::Map context = forced.context.as_map();
    context.insert_or_assign("environment", core::Map{});
    forced.context = context;
    EXPECT_EQ(read(text_of(forced)).record.environment, "CPython 3.11.2, executable, 1 thread");
    context.insert_or_assign("environment", core::Map{{"OPENBLAS_CORETYPE", "Haswell"}});
    forced.context = std::move(context);
    EXPECT_EQ(read(text_of(forced)).record.environment,
              "CPython 3.11.2, executable, 1 thread, OPENBLAS_CORETYPE=Haswell");
}

TEST(RecordValues, OfADuetAreRatiosToItsReference) {
    const RecordValues values = read(text_of(record::sample_duet()));
    ASSERT_EQ(values.metrics.size(), 1U);
    EXPECT_EQ(values.metrics[0].metric, "anchored");
    EXPECT_EQ(values.metrics[0].unit, SeriesUnit::kRatio);
    const auto verdicts = record::decide(record::sample_duet());
    for (const CaseValue& value : values.metrics[0].values) {
        EXPECT_GT(value.value, 0.5);
        EXPECT_LT(value.value, 2);
        EXPECT_GT(value.processes, 1);
    }
    for (const record::CaseVerdict& verdict : verdicts)
        if (verdict.error || verdict.selected.presence != record::Presence::kBoth) {
            EXPECT_THAT(values.metrics[0].values, Not(Contains(Field(&CaseValue::case_name, verdict.selected.name))));
        }
    EXPECT_EQ(values.record.kind, "duet");
    EXPECT_EQ(values.record.version, "2.0.2") << "of side b";
    EXPECT_EQ(values.record.environment, "CPython 3.11.2, executable, 1 thread, OMP_NUM_THREADS=1");
    EXPECT_EQ(values.record.reference, "numpy 1.26.4, no variables");
}

TEST(RecordValues, TellApartReferencesThatBenchCompareTellsApart) {
    record::Duet duet = record::sample_duet();
    const IndexedRecord before = read(text_of(duet)).record;
    core::Map a = duet.sides[0].as_map();
    core::Map subject = a["subject"].as_map();
    subject.insert_or_assign("executable_build_id", "571d98e01096d5c1");
    a.insert_or_assign("subject", subject);
    duet.sides[0] = a;
    EXPECT_EQ(read(text_of(duet)).record.environment, before.environment);
    EXPECT_EQ(read(text_of(duet)).record.reference, "numpy 1.26.4, build 571d98e0, no variables") << "another build";
    a.insert_or_assign("host", "embedded");
    duet.sides[0] = a;
    EXPECT_THAT(read(text_of(duet)).record.reference, HasSubstr("embedded"));
    duet.settings = core::Map{{"injected_ratio", 0.05}, {"threads", 1}};
    EXPECT_THAT(read(text_of(duet)).record.reference, HasSubstr("5 % injected into b"));
}

TEST(UnixTime, IsThatOfTheDatesZone) {
    EXPECT_EQ(unix_time_of("2023-11-14T22:13:20+00:00"), 1'700'000'000);
    EXPECT_EQ(unix_time_of("2023-11-15T00:13:20+02:00"), 1'700'000'000);
    EXPECT_EQ(unix_time_of("2023-11-14T22:13:20Z"), 1'700'000'000);
    for (const char* text : {"", "yesterday", "2023-13-01T00:00:00+00:00", "2023-11-1xT22:13:20", "2023-11-14"})
        EXPECT_EQ(unix_time_of(text), 0) << text;
}

TEST(RecordValues, OfFormatVersion1StayReadable) {
    std::ostringstream text;
    text << std::ifstream(std::string(TARE_RECORD_TESTDATA) + "/record_v1.json", std::ios::binary).rdbuf();
    EXPECT_TRUE(record::parse_record(text.str(), "record_v1.json"));
    const RecordValues values = read(text.str());
    EXPECT_EQ(values.record.version, "2.4.6");
    ASSERT_EQ(metric(values, "gross").values.size(), 1U);
    EXPECT_EQ(metric(values, "gross").values[0].case_name, "add[kind=array,dtype=f8,n=8]");
    EXPECT_THAT(metric(values, "gross").values[0].value, DoubleNear(312.5, 1e-9));
}

TEST(RecordValues, OfDamagedTextAreAnErrorAndNeverACrash) {
    const std::string whole = text_of(run());
    for (std::size_t size = 0; size < whole.size(); size += 997)
        EXPECT_FALSE(read_values(whole.substr(0, size), "cut.json")) << size;
    std::mt19937 random(1);
    for (int i = 0; i < 300; ++i) {
        std::string text = whole;
        for (int k = 0; k < 3; ++k) text[random() % text.size()] = static_cast<char>(random());
        static_cast<void>(read_values(text, "mutated.json"));
    }
}

}  // namespace
}  // namespace tare::history
