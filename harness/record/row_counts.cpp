// Lists over counters, with what can be told from other members left out: rows are most of a record.
#include "harness/record/row_counts.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "harness/record/counter_columns.h"
#include "harness/record/visit_json.h"

namespace tare::record {

namespace {

using core::RungCount;

constexpr int kLesserDigits = 4;        // of what is looked at beside the net
constexpr int kInstructionsDigits = 7;  // they repeat: 3939.999 an execution are told from 3940

bool is_writable(const RungCount& count) {
    return std::isfinite(count.gross) && std::isfinite(count.floor) && std::isfinite(count.net) &&
           std::isfinite(count.lowest_net) && std::isfinite(count.counted_ratio);
}

/// Most counts of faults, switches and migrations are 0: without a decimal point, in half the bytes.
Json short_number(double value, int digits) {
    return value == 0 ? Json(0) : rounded(value, digits);
}

/// One number where all are the same, else a list; `values` has null where nothing was counted.
Json shortest(Json values) {
    const Json* first = nullptr;
    bool same = true;
    for (const Json& value : values) {
        if (value.is_null()) continue;
        if (first == nullptr) first = &value;
        same = same && value == *first;
    }
    if (first == nullptr) return nullptr;
    if (same) return *first;
    while (values.back().is_null()) values.erase(values.size() - 1);
    return values;
}

/// The value of one counter in a list, or in the one number that stands for all.
double value_at(const Json& json, std::size_t counter, double otherwise) {
    if (json.is_array()) return counter < json.size() ? number_or(json[counter], otherwise) : otherwise;
    return number_or(json, otherwise);
}

bool is_sum(const RungCount& count) {
    return std::abs(count.gross - count.net - count.floor) <= 1e-6 * std::abs(count.gross);
}

}  // namespace

RowCounters::RowCounters(const std::vector<stats::RunCounter>& counters) {
    const std::vector<std::string> columns = column_names(counters);
    for (std::size_t i = 0; i < counters.size(); ++i) {
        const bool repeats = counters[i].request.role == core::CounterRole::kInstructions;
        if (repeats && !instructions_) instructions_ = i;
        items_.push_back({columns[i], counters[i].trusted(), repeats ? kInstructionsDigits : kSampleDigits});
    }
}

Json RowCounters::numbers(const core::RungVisit& rung) const {
    Json json = Json::object();
    for (const RungCount& count : rung.counts)
        if (count.counter < items_.size() && items_[count.counter].as_number && is_writable(count))
            json[items_[count.counter].column] = short_number(count.net, items_[count.counter].digits);
    return json;
}

Json RowCounters::rest(const core::RungVisit& rung, bool with_net) const {
    std::vector<const RungCount*> counts;
    for (const RungCount& count : rung.counts)
        if (count.counter < items_.size() && is_writable(count)) counts.push_back(&count);
    Json json = Json::object();
    if (counts.empty()) return json;
    const auto add = [&](const char* name, const auto& is_default, const auto& value_of) {
        if (std::ranges::all_of(counts, [&](const RungCount* count) { return is_default(*count); })) return;
        Json list = std::vector<std::nullptr_t>(items_.size());
        for (const RungCount* count : counts) list[count->counter] = value_of(*count);
        json[name] = std::move(list);
    };
    const auto digits = [&](const RungCount& count) { return items_[count.counter].digits; };
    add(
        "net", [&](const RungCount& c) { return !with_net && items_[c.counter].as_number; },
        [&](const RungCount& c) {
            return with_net || !items_[c.counter].as_number ? short_number(c.net, digits(c)) : Json();
        });
    add(
        "floor", [](const RungCount& c) { return c.floor == 0; },
        [](const RungCount& c) { return short_number(c.floor, kLesserDigits); });
    add(
        "lowest_net", [](const RungCount& c) { return c.lowest_net == c.net; },
        [&](const RungCount& c) { return short_number(c.lowest_net, std::max(digits(c) - 1, kLesserDigits)); });
    add("gross", is_sum, [&](const RungCount& c) { return short_number(c.gross, digits(c)); });
    add(
        "counted_ratio", [](const RungCount& c) { return c.counted_ratio == 1; },
        [](const RungCount& c) { return short_number(c.counted_ratio, kSampleDigits); });
    const auto batches = std::ranges::count_if(rung.samples, [](const core::Sample& s) { return s.n > 0; });
    add(
        "batches", [&](const RungCount& c) { return c.batches == batches; },
        [](const RungCount& c) { return Json(c.batches); });
    for (auto& [name, list] : json.items())
        if (name != "net") list = shortest(std::move(list));  // the list of nets says what was counted
    if (Json by_pass = instructions(rung); !by_pass.is_null()) json["instructions"] = std::move(by_pass);
    return json;
}

Json RowCounters::instructions(const core::RungVisit& rung) const {
    std::optional<double> otherwise;
    for (const RungCount& count : rung.counts)
        if (count.counter == instructions_ && is_writable(count)) otherwise = count.net;
    const auto written = [](std::optional<double> value) {
        return value ? short_number(*value, kSampleDigits) : Json();
    };
    Json list = std::vector<std::nullptr_t>(items_.size());
    bool as_otherwise = true, all = true;
    for (const RungCount& count : rung.counts) {
        if (count.counter >= items_.size() || !is_writable(count)) continue;
        list[count.counter] = written(count.instructions);
        all = all && !list[count.counter].is_null();
        as_otherwise = as_otherwise && list[count.counter] == written(otherwise);
    }
    if (as_otherwise) return nullptr;
    return all ? shortest(std::move(list)) : list;  // of a list without a number, each has none
}

std::vector<RungCount> counts_from_row(const std::vector<RowNumber>& numbers, const Json& rest, const RowNames& names,
                                       std::size_t samples) {
    std::vector<std::optional<double>> nets(names.counters);
    const Json& listed = member(rest, "net");
    for (std::size_t i = 0; listed.is_array() && i < std::min(listed.size(), nets.size()); ++i)
        if (listed[i].is_number()) nets[i] = listed[i].get<double>();
    for (const RowNumber& number : numbers)
        if (const std::size_t i = names.counter_of[number.name]; i < nets.size()) nets[i] = number.value;
    const double nan = std::nan("");
    const double net_instructions = names.instructions ? nets[*names.instructions].value_or(nan) : nan;
    const Json& by_pass = member(rest, "instructions");
    std::vector<RungCount> counts;
    for (std::size_t i = 0; i < nets.size(); ++i) {
        if (!nets[i]) continue;
        RungCount count;
        count.counter = i;
        count.net = *nets[i];
        count.floor = value_at(member(rest, "floor"), i, 0);
        count.gross = value_at(member(rest, "gross"), i, count.net + count.floor);
        count.lowest_net = value_at(member(rest, "lowest_net"), i, count.net);
        count.counted_ratio = value_at(member(rest, "counted_ratio"), i, 1);
        const Json& batches = member(rest, "batches");
        count.batches = int_or(batches.is_array() ? (i < batches.size() ? batches[i] : Json()) : batches,
                               static_cast<int>(samples));
        const double instructions = by_pass.is_null() ? net_instructions : value_at(by_pass, i, nan);
        if (!std::isnan(instructions)) count.instructions = instructions;
        counts.push_back(count);
    }
    return counts;
}

std::optional<std::size_t> first_instructions(const std::vector<core::CounterRequest>& requests) {
    for (std::size_t i = 0; i < requests.size(); ++i)
        if (requests[i].role == core::CounterRole::kInstructions) return i;
    return std::nullopt;
}

}  // namespace tare::record
