// One row per case, rung and process, named `<case>/<rung>` in every process, which makes processes repetitions to
// Google Benchmark's tools; a failed visit's row bears the case's name alone. A row's `tare` object holds what Google
// Benchmark's schema has no place for; what belongs to the visit as a whole (`visit`) sits in its first row.
#include "harness/record/rows.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "harness/record/counter_columns.h"
#include "harness/record/visit_json.h"
#include "harness/stats/estimators.h"
#include "harness/stats/pooled_floors.h"
#include "harness/stats/rung_values.h"

namespace tare::record {

namespace {

using core::RungVisit;
using core::Visit;

constexpr std::array<std::string_view, 6> kNumbersOfEveryRow = {"repetitions", "repetition_index", "threads",
                                                                "iterations",  "real_time",        "cpu_time"};

constexpr std::array kReferenceKeys = {std::pair{"l1", &core::References::l1_cycles},
                                       std::pair{"alu", &core::References::alu_cycles}};
/// Whole per cent above the best, rounded up, so that every limit of whole per cents selects the same batches again.
constexpr std::string_view kPercents = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
constexpr double kPercent = 100;
constexpr double kRoundingError = 1e-6;

double floor_of_one_ns(const RungVisit& rung) {
    return rung.floor_ns / (rung.unroll > 0 ? rung.unroll : 1);
}

/// What all rows of a run are written with.
struct RunFacts {
    RowCounters counters;
    core::References best;
};

/// Executions of each batch: one number where all are equal.
Json batch_sizes(const RungVisit& rung) {
    Json sizes = Json::array();
    bool equal = true;
    for (const core::Sample& sample : rung.samples) {
        if (sample.n == 0) continue;
        equal = equal && (sizes.empty() || sizes[0] == sample.n);
        sizes.push_back(sample.n);
    }
    return equal && !sizes.empty() ? sizes[0] : sizes;
}

/// One character a batch; empty where the best or a reading is unknown.
std::string percents_above(const RungVisit& rung, const core::References& best, double core::References::*kernel) {
    std::string text;
    for (const core::Sample& sample : rung.samples) {
        if (sample.n == 0) continue;
        const double ratio = sample.references.*kernel / best.*kernel;
        if (!(ratio > 0) || !std::isfinite(ratio)) return {};
        const double percent =
            ratio < 1 - core::kHeldUpRatio ? kPercents.size() : std::ceil((ratio - 1) * kPercent - kRoundingError);
        text +=
            kPercents[static_cast<std::size_t>(std::clamp(percent, 0.0, static_cast<double>(kPercents.size() - 1)))];
    }
    return text;
}

void add_references(Json& fields, const RungVisit& rung, const core::References& best) {
    for (const auto& [key, kernel] : kReferenceKeys)
        if (std::string text = percents_above(rung, best, kernel); !text.empty()) fields[key] = std::move(text);
}

/// Relative to the best: take_visits makes times of them.
void read_references(RungVisit& rung, const Json& fields) {
    for (const auto& [key, kernel] : kReferenceKeys) {
        const std::string text = text_or(member(fields, key), "");
        if (text.size() != rung.samples.size()) continue;
        for (std::size_t i = 0; i < text.size(); ++i)
            if (const std::size_t percent = kPercents.find(text[i]); percent != std::string_view::npos)
                rung.samples[i].references.*kernel = 1 + static_cast<double>(percent) / kPercent;
    }
}

void make_times(Visit& visit, const core::References& best) {
    for (RungVisit& rung : visit.rungs)
        for (core::Sample& sample : rung.samples)
            for (const auto& [key, kernel] : kReferenceKeys) sample.references.*kernel *= best.*kernel;
}

Json rung_fields(const RungVisit& rung, const core::References& best) {
    Json samples = Json::array();
    for (const double value_ns : stats::wall_values_ns(rung)) samples.push_back(rounded(value_ns, kSampleDigits));
    Json fields = object_of({{"unroll", rung.unroll},
                             {"floor_ns", rounded(rung.floor_ns, kSampleDigits)},
                             {"n", batch_sizes(rung)},
                             {"samples_ns", std::move(samples)}});
    if (rung.floor_error_ns > 0) fields["floor_error_ns"] = rounded(rung.floor_error_ns, kSampleDigits);
    add_references(fields, rung, best);
    return fields;
}

/// All values finite, so that no null stands where Google Benchmark's readers expect a number.
bool is_writable(const RungVisit& rung) {
    const std::vector<double> values = stats::wall_values_ns(rung);
    return !values.empty() && std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
}

/// A rung that has no row of its own.
Json whole_rung(const RungVisit& rung, const RunFacts& run) {
    Json fields = object_of({{"rung", core::name_of(rung.kind)}});
    fields.update(rung_fields(rung, run.best));
    fields["cpu_time_ns"] = rounded(stats::median(stats::cpu_values_ns(rung)), kMedianDigits);
    if (!rung.facts.is_nil()) fields["facts"] = to_json(rung.facts);
    if (Json counted = run.counters.rest(rung, true); !counted.empty()) fields["counters"] = std::move(counted);
    return fields;
}

/// The floor is here and in no row: nobody compares it, and as rows it would weigh a fifth in the geometric mean that
/// compare.py ends with, and cost it a third of its time, which grows with the square of the rows.
Json visit_fields(const Visit& visit, const RunFacts& run) {
    Json json = object_of({{"order", visit.order},
                           {"seed", visit.seed},
                           {"started_s", number(visit.started_s)},
                           {"wall_s", rounded(visit.wall_s, 4)}});
    if (visit.clock_ghz > 0) json["clock_ghz"] = rounded(visit.clock_ghz, 6);
    for (const RungVisit& rung : visit.rungs)
        if (rung.kind == core::RungKind::kFloor && !visit.error && is_writable(rung))
            json["floor"] = whole_rung(rung, run);
    if (!visit.problems.empty()) json["problems"] = problems_to_json(visit.problems);
    if (!visit.warnings.empty()) json["warnings"] = visit.warnings;
    return json;
}

Json place_fields(const Visit& visit) {
    return object_of({{"round", visit.round}, {"process", visit.process}});
}

struct Appearance {
    const Visit* visit;
    const RungVisit* rung;
};

void make_rung_rows(const std::vector<Appearance>& appearances, std::vector<const Visit*>& described,
                    const RunFacts& run, const std::function<void(const Json&)>& take) {
    core::Value facts;
    for (std::size_t i = 0; i < appearances.size(); ++i) {
        const auto& [visit, rung] = appearances[i];
        const std::string name = visit->case_name + '/' + std::string(core::name_of(rung->kind));
        std::uint64_t iterations = 0;
        for (const core::Sample& sample : rung->samples) iterations += sample.n;
        const double cpu_ns = stats::median(stats::cpu_values_ns(*rung));
        Json ours = object_of({{"rung", core::name_of(rung->kind)}});
        ours.update(place_fields(*visit));
        ours.update(rung_fields(*rung, run.best));
        if (!rung->facts.is_nil() && (i == 0 || !(rung->facts == facts))) {
            facts = rung->facts;
            ours["facts"] = to_json(facts);
        }
        if (std::find(described.begin(), described.end(), visit) == described.end()) {
            described.push_back(visit);
            ours["visit"] = visit_fields(*visit, run);
        }
        if (Json counted = run.counters.rest(*rung, false); !counted.empty()) ours["counters"] = std::move(counted);
        Json row = object_of({{"name", name},
                              {"run_name", name},
                              {"run_type", "iteration"},
                              {"repetitions", appearances.size()},
                              {"repetition_index", i},
                              {"threads", 1},
                              {"iterations", iterations},
                              {"real_time", rounded(stats::median(stats::wall_values_ns(*rung)), kMedianDigits)},
                              {"cpu_time", std::isfinite(cpu_ns) ? rounded(cpu_ns, kMedianDigits) : Json(0.0)},
                              {"time_unit", "ns"}});
        row.update(run.counters.numbers(*rung));
        row["tare"] = std::move(ours);
        take(row);
    }
}

/// real_time is 0 as in Google Benchmark's own error rows: its compare.py ends with a traceback at null or nothing.
void make_failed_row(const Visit& visit, const RunFacts& run, const std::function<void(const Json&)>& take) {
    Json ours = place_fields(visit);
    Json partial = Json::array();
    for (const RungVisit& rung : visit.rungs) {
        if (visit.error && is_writable(rung)) partial.push_back(whole_rung(rung, run));
    }
    ours["visit"] = visit_fields(visit, run);
    if (visit.error) ours["error"] = error_to_json(*visit.error);
    ours["partial"] = std::move(partial);
    const std::string message = visit.error ? visit.error->what : "no rung was measured";
    take(failed_row(visit.case_name, message, std::move(ours)));
}

/// Raw batches again: wall = n * (value + floor / unroll).
RungVisit rung_from_fields(const Json& fields, core::RungKind kind, double cpu_value_ns) {
    RungVisit rung;
    rung.kind = kind;
    rung.unroll = int_or(member(fields, "unroll"), 1);
    rung.floor_ns = number_or(member(fields, "floor_ns"), 0);
    rung.floor_error_ns = number_or(member(fields, "floor_error_ns"), 0);
    rung.facts = to_value(member(fields, "facts"));
    const Json& values = member(fields, "samples_ns");
    const Json& sizes = member(fields, "n");
    if (!values.is_array()) return rung;
    rung.samples.reserve(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        const std::uint64_t n = unsigned_or(sizes.is_array() ? (i < sizes.size() ? sizes[i] : Json()) : sizes, 0);
        if (n == 0 || !values[i].is_number()) continue;
        const auto executions = static_cast<double>(n);
        rung.samples.push_back({n, executions * (values[i].get<double>() + floor_of_one_ns(rung)),
                                executions * (cpu_value_ns + floor_of_one_ns(rung))});
    }
    read_references(rung, fields);
    return rung;
}

}  // namespace

void make_rows(const std::vector<Visit>& visits, const std::vector<stats::RunCounter>& run_counters,
               const core::References& best, const std::function<void(const Json&)>& take) {
    const RunFacts run{RowCounters(run_counters), best};
    std::vector<std::vector<const Visit*>> groups;
    std::map<std::string_view, std::size_t> places;
    for (const Visit& visit : visits) {
        const auto [place, fresh] = places.try_emplace(visit.case_name, groups.size());
        if (fresh) groups.emplace_back();
        groups[place->second].push_back(&visit);
    }
    for (const auto& members : groups) {
        std::vector<Visit> group;  // with the floor that its estimate has
        for (const Visit* visit : members) group.push_back(*visit);
        stats::pool_floors(group, best);
        std::vector<const Visit*> described;  // those whose `visit` object a row holds
        for (const core::RungKind kind : core::kAllRungs) {
            if (kind == core::RungKind::kFloor) continue;
            std::vector<Appearance> appearances;
            for (const Visit& visit : group)
                for (const RungVisit& rung : visit.rungs)
                    if (rung.kind == kind && !visit.error && is_writable(rung)) appearances.push_back({&visit, &rung});
            make_rung_rows(appearances, described, run, take);
        }
        for (const Visit& visit : group)
            if (std::find(described.begin(), described.end(), &visit) == described.end())
                make_failed_row(visit, run, take);
    }
}

std::size_t RowReader::place_of(std::string case_name, const Json& ours) {
    Visit blank;
    blank.case_name = std::move(case_name);
    blank.round = int_or(member(ours, "round"), 0);
    blank.process = int_or(member(ours, "process"), 0);
    const auto [place, fresh] =
        places_.try_emplace(std::make_tuple(blank.case_name, blank.round, blank.process), visits_.size());
    if (fresh) visits_.push_back(std::move(blank));
    return place->second;
}

/// All but those that every row has. One that is no counter's finds no request of its name.
std::vector<RowNumber> RowReader::numbers_of(const Json& row) {
    std::vector<RowNumber> numbers;
    for (const auto& [key, value] : row.items())
        if (value.is_number() && std::ranges::find(kNumbersOfEveryRow, key) == kNumbersOfEveryRow.end())
            numbers.push_back({names_.try_emplace(key, names_.size()).first->second, value.get<double>()});
    return numbers;
}

void RowReader::add_rung(std::size_t visit, RungVisit rung, const Json& fields, std::vector<RowNumber> numbers) {
    const Json& rest = member(fields, "counters");
    if (!numbers.empty() || !rest.is_null())
        pending_.push_back({visit, visits_[visit].rungs.size(), std::move(numbers), rest});
    visits_[visit].rungs.push_back(std::move(rung));
}

bool RowReader::add(const Json& row) {
    const Json& ours = member(row, "tare");
    std::string name = text_or(member(row, "name"), "");
    if (!ours.is_object() || name.empty()) return false;
    const auto kind = core::rung_named(text_or(member(ours, "rung"), ""));
    const bool failed = bool_or(member(row, "error_occurred"), false);
    if (!kind && !failed) return false;
    if (!failed) {
        const std::string suffix = '/' + std::string(core::name_of(*kind));
        if (!name.ends_with(suffix)) return false;
        name.resize(name.size() - suffix.size());
    }
    const auto add_whole_rung = [this](std::size_t place, const Json& fields) {
        if (const auto whole = core::rung_named(text_or(member(fields, "rung"), "")))
            add_rung(place, rung_from_fields(fields, *whole, number_or(member(fields, "cpu_time_ns"), 0)), fields);
    };
    const std::size_t place = place_of(std::move(name), ours);
    Visit& visit = visits_[place];
    if (const Json& described = member(ours, "visit"); described.is_object()) {
        visit.order = int_or(member(described, "order"), 0);
        visit.seed = unsigned_or(member(described, "seed"), 0);
        visit.started_s = number_or(member(described, "started_s"), 0);
        visit.wall_s = number_or(member(described, "wall_s"), 0);
        visit.clock_ghz = number_or(member(described, "clock_ghz"), 0);
        visit.problems = problems_from_json(member(described, "problems"));
        visit.warnings = texts_from_json(member(described, "warnings"));
        add_whole_rung(place, member(described, "floor"));
    }
    if (member(ours, "error").is_object()) visit.error = error_from_json(member(ours, "error"));
    if (!failed) {
        add_rung(place, rung_from_fields(ours, *kind, number_or(member(row, "cpu_time"), 0)), ours, numbers_of(row));
        return true;
    }
    const Json& partial = member(ours, "partial");
    if (!partial.is_array()) return true;
    for (const Json& fields : partial) add_whole_rung(place, fields);
    return true;
}

void RowReader::add_counts(const std::vector<core::CounterRequest>& requests) {
    const std::vector<std::string> columns = column_names(requests);
    RowNames names{columns.size(), std::vector<std::size_t>(names_.size(), columns.size()),
                   first_instructions(requests)};
    for (std::size_t i = 0; i < columns.size(); ++i)
        if (const auto found = names_.find(columns[i]); found != names_.end()) names.counter_of[found->second] = i;
    for (const Pending& pending : pending_) {
        RungVisit& rung = visits_[pending.visit].rungs[pending.rung];
        rung.counts = counts_from_row(pending.numbers, pending.rest, names, rung.samples.size());
    }
}

std::vector<Visit> RowReader::take_visits(const std::vector<core::CounterRequest>& requests,
                                          const core::References& best) {
    add_counts(requests);
    pending_.clear();
    names_.clear();
    std::stable_sort(visits_.begin(), visits_.end(), [](const Visit& a, const Visit& b) {
        return std::tie(a.round, a.order) < std::tie(b.round, b.order);
    });
    for (Visit& visit : visits_) make_times(visit, best);
    for (Visit& visit : visits_)
        std::stable_sort(visit.rungs.begin(), visit.rungs.end(),
                         [](const RungVisit& a, const RungVisit& b) { return a.kind < b.kind; });
    places_.clear();
    return std::exchange(visits_, {});
}

}  // namespace tare::record
