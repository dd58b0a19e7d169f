// A stored ledger is the whole one but for: `case` for `case_name`, no `nodes`, `program` an index, modules that name
// their `file` by index, `unresolved` only where it is true, and functions [function, value] or, where layouts differ,
// [function, value, lowest, highest]; `function_layers` says beside each in which layer it is: the layer's index, or,
// of more than one, [[layer, value], ...]. Python functions are without `lines`.
#include "harness/record/stored_ledgers.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>

#include "harness/record/ledger_json.h"
#include "harness/record/shared_table.h"
#include "harness/record/visit_json.h"

namespace tare::record {

namespace {

using core::ErrorCode;
using core::NameSource;

class LedgerWriter {
  public:
    [[nodiscard]] Json ledger(const core::Ledger& ledger) {
        const Json whole = whole_ledger_to_json(ledger);
        Json json = object_of({{"case", ledger.case_name}});
        for (const auto& [key, value] : whole.items()) {
            if (key == "case" || key == "nodes") continue;
            if (key == "program")
                json[key] = programs_.index_of(value);
            else if (key == "modules")
                json[key] = modules(value);
            else if (key == "functions")
                add_functions(json, ledger, whole["modules"]);
            else if (key == "layers")
                json[key] = layers(value);
            else
                json[key] = value;
        }
        return json;
    }
    [[nodiscard]] Json tables() {
        return object_of({{"programs", programs_.take()}, {"files", files_.take()}, {"functions", functions_.take()}});
    }

  private:
    [[nodiscard]] std::size_t file(const Json& module) {
        return files_.index_of(
            object_of({{"path", module["path"]}, {"build_id", module["build_id"]}, {"symbols", module["symbols"]}}));
    }
    [[nodiscard]] Json modules(const Json& whole) {
        Json list = Json::array();
        for (const Json& module : whole)
            list.push_back(object_of({{"file", file(module)},
                                      {"self", module["self"]},
                                      {"named", module["named"]},
                                      {"functions", module["functions"]},
                                      {"named_functions", module["named_functions"]}}));
        return list;
    }
    [[nodiscard]] static Json layers(Json whole) {
        for (Json& layer : whole)
            if (!bool_or(layer["unresolved"], false)) layer.erase("unresolved");
        return whole;
    }
    void add_functions(Json& json, const core::Ledger& ledger, const Json& modules) {
        json["functions"] = functions(ledger, modules);
        if (!ledger.nodes.empty()) json["function_layers"] = function_layers(ledger);
    }
    [[nodiscard]] static Json function_layers(const core::Ledger& ledger) {
        std::vector<Json> layers(ledger.functions.size(), Json::array());
        for (const core::LedgerNode& node : ledger.nodes)
            layers[node.function].push_back(Json::array({node.layer, node.self}));
        Json list = Json::array();
        for (std::size_t i = 0; i < layers.size(); ++i) {
            const bool one = layers[i].size() == 1 && layers[i][0][1] == ledger.functions[i].self.value;
            list.push_back(one ? layers[i][0][0] : std::move(layers[i]));
        }
        return list;
    }
    [[nodiscard]] Json functions(const core::Ledger& ledger, const Json& modules) {
        Json list = Json::array();
        for (const core::LedgerFunction& function : ledger.functions) {
            const Json entry = object_of({{"file", file(modules[function.module])},
                                          {"name", function.name},
                                          {"source", core::name_of(function.source)}});
            Json row = Json::array({functions_.index_of(entry), function.self.value});
            if (function.self.lowest != function.self.value || function.self.highest != function.self.value) {
                row.push_back(function.self.lowest);
                row.push_back(function.self.highest);
            }
            list.push_back(std::move(row));
        }
        return list;
    }

    Table programs_, files_, functions_;
};

core::Count in_range(std::uint64_t value, std::uint64_t lowest, std::uint64_t highest) {
    return {value, std::min(lowest, value), std::max(highest, value)};
}

core::Count count_from(const Json& json) {
    const std::uint64_t value = unsigned_or(member(json, "value"), 0);
    return in_range(value, unsigned_or(member(json, "lowest"), value), unsigned_or(member(json, "highest"), value));
}

std::uint32_t number_of(const Json& json) {
    const std::uint64_t value = unsigned_or(json, 0);
    return value > std::numeric_limits<std::uint32_t>::max() ? 0 : static_cast<std::uint32_t>(value);
}

NameSource source_from(const Json& json) {
    const std::string name = text_or(json, "");
    for (int i = 0; i < static_cast<int>(NameSource::kNone); ++i)
        if (core::name_of(static_cast<NameSource>(i)) == name) return static_cast<NameSource>(i);
    return NameSource::kNone;
}

class LedgerReader {
  public:
    explicit LedgerReader(const Json& tables)
        : programs_(items_of(tables, "programs")),
          files_(items_of(tables, "files")),
          functions_(items_of(tables, "functions")) {}

    [[nodiscard]] core::Expected<core::Ledger> ledger(const Json& json) const {
        if (!member(json, "case").is_string()) return core::fail(ErrorCode::kData, "a ledger names no case");
        core::Ledger ledger;
        ledger.case_name = text_or(member(json, "case"), "");
        ledger.statement = text_or(member(json, "statement"), "");
        ledger.layouts = int_or(member(json, "layouts"), 0);
        ledger.randomized_addresses = bool_or(member(json, "randomized_addresses"), false);
        ledger.total = count_from(member(json, "total"));
        ledger.floor = count_from(member(json, "floor"));
        ledger.step_ns = number_or(member(json, "step_ns"), 0);
        ledger.warnings = texts_from_json(member(json, "warnings"));
        if (!read_program(ledger, json) || !read_modules(ledger, json) || !read_functions(ledger, json))
            return core::fail(ErrorCode::kData,
                              fmt::format("the ledger of '{}' refers to what is not there", ledger.case_name));
        read_rest(ledger, json);
        if (!read_function_layers(ledger, member(json, "function_layers")))
            return core::fail(
                ErrorCode::kData,
                fmt::format("the ledger of '{}' has functions in layers that it has not", ledger.case_name));
        return ledger;
    }

  private:
    static const Json* at(const Json& table, const Json& index) {
        const std::uint64_t place = unsigned_or(index, table.size());
        return place < table.size() ? &table[place] : nullptr;
    }
    bool read_program(core::Ledger& ledger, const Json& json) const {
        const Json* program = at(programs_, member(json, "program"));
        if (program == nullptr) return false;
        ledger.program = {text_or(member(*program, "architecture"), ""), text_or(member(*program, "cpu_features"), ""),
                          text_or(member(*program, "blas_core"), ""), text_or(member(*program, "python_build_id"), ""),
                          text_or(member(*program, "host"), "")};
        return true;
    }
    bool read_modules(core::Ledger& ledger, const Json& json) const {
        for (const Json& item : items_of(json, "modules")) {
            const Json* file = at(files_, member(item, "file"));
            if (file == nullptr) return false;
            ledger.modules.push_back({text_or(member(*file, "path"), ""), text_or(member(*file, "build_id"), ""),
                                      source_from(member(*file, "symbols")), count_from(member(item, "self")),
                                      unsigned_or(member(item, "named"), 0), number_of(member(item, "functions")),
                                      number_of(member(item, "named_functions"))});
        }
        return true;
    }
    bool read_functions(core::Ledger& ledger, const Json& json) const {
        std::map<std::uint64_t, std::uint32_t> modules;  // by file
        std::uint32_t next = 0;
        for (const Json& item : items_of(json, "modules"))
            modules.try_emplace(unsigned_or(member(item, "file"), 0), next++);
        for (const Json& row : items_of(json, "functions")) {
            if (!row.is_array() || (row.size() != 2 && row.size() != 4)) return false;
            const Json* function = at(functions_, row[0]);
            if (function == nullptr) return false;
            const auto module = modules.find(unsigned_or(member(*function, "file"), files_.size()));
            if (module == modules.end()) return false;
            const std::uint64_t value = unsigned_or(row[1], 0);
            const bool varies = row.size() == 4;
            ledger.functions.push_back({module->second, text_or(member(*function, "name"), ""),
                                        source_from(member(*function, "source")),
                                        in_range(value, varies ? unsigned_or(row[2], value) : value,
                                                 varies ? unsigned_or(row[3], value) : value)});
        }
        return true;
    }
    /// Older records do not say it.
    static bool read_function_layers(core::Ledger& ledger, const Json& json) {
        if (!json.is_array()) return true;
        if (json.size() != ledger.functions.size()) return false;
        for (std::uint32_t function = 0; function < json.size(); ++function) {
            const auto add = [&](const Json& layer, std::uint64_t self) {
                const std::uint64_t place = unsigned_or(layer, ledger.layers.size());
                if (place < ledger.layers.size())
                    ledger.nodes.push_back({-1, function, static_cast<std::uint32_t>(place), 0, self});
                return place < ledger.layers.size();
            };
            if (!json[function].is_array()) {
                if (!add(json[function], ledger.functions[function].self.value)) return false;
                continue;
            }
            for (const Json& part : json[function])
                if (!part.is_array() || part.size() != 2 || !add(part[0], unsigned_or(part[1], 0))) return false;
        }
        return true;
    }
    static void read_rest(core::Ledger& ledger, const Json& json) {
        ledger.python_problem = text_or(member(json, "python_problem"), "");
        for (const Json& item : items_of(json, "python_functions"))
            ledger.python_functions.push_back({.name = text_or(member(item, "name"), ""),
                                               .file = text_or(member(item, "file"), ""),
                                               .first_line = int_or(member(item, "first_line"), 0),
                                               .self = count_from(member(item, "self")),
                                               .inclusive = unsigned_or(member(item, "inclusive"), 0),
                                               .calls = unsigned_or(member(item, "calls"), 0)});
        for (const Json& item : items_of(json, "layers"))
            ledger.layers.push_back({text_or(member(item, "name"), ""), count_from(member(item, "self")),
                                     number_of(member(item, "functions")), bool_or(member(item, "unresolved"), false)});
        for (const Json& item : items_of(json, "routes"))
            ledger.routes.push_back({texts_from_json(member(item, "functions")), text_or(member(item, "routine"), ""),
                                     text_or(member(item, "precision"), ""), text_or(member(item, "transposition"), ""),
                                     text_or(member(item, "core"), ""), bool_or(member(item, "small_matrix"), false),
                                     unsigned_or(member(item, "instructions"), 0)});
        for (const Json& item : items_of(json, "allocations"))
            ledger.allocations.push_back({text_or(member(item, "function"), ""), unsigned_or(member(item, "calls"), 0),
                                          unsigned_or(member(item, "bytes"), 0)});
        for (const Json& item : items_of(json, "system_calls"))
            ledger.system_calls.push_back(
                {integer_or(member(item, "number"), 0), unsigned_or(member(item, "calls"), 0)});
    }

    const Json& programs_;
    const Json& files_;
    const Json& functions_;
};

}  // namespace

core::Ledger stored_part(core::Ledger ledger) {
    constexpr std::uint32_t kDropped = std::numeric_limits<std::uint32_t>::max();
    std::vector<std::uint32_t> places(ledger.functions.size(), kDropped);
    std::vector<core::LedgerFunction> kept;
    for (std::size_t i = 0; i < ledger.functions.size(); ++i) {
        core::LedgerFunction& function = ledger.functions[i];
        if (function.self.value * kLeastStoredPart < ledger.total.value || function.module >= ledger.modules.size())
            continue;
        places[i] = static_cast<std::uint32_t>(kept.size());
        kept.push_back(std::move(function));
    }
    ledger.functions = std::move(kept);
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> parts;  // of a function, by layer
    for (const core::LedgerNode& node : ledger.nodes)
        if (node.function < places.size() && places[node.function] != kDropped && node.layer < ledger.layers.size() &&
            node.self > 0)
            parts[{places[node.function], node.layer}] += node.self;
    ledger.nodes.clear();
    std::erase_if(ledger.python_functions, [&](const core::LedgerPythonFunction& function) {
        return function.inclusive * kLeastStoredPart < ledger.total.value;
    });
    for (core::LedgerPythonFunction& function : ledger.python_functions) function.lines.clear();
    for (const auto& [part, self] : parts) ledger.nodes.push_back({-1, part.first, part.second, 0, self});
    return ledger;
}

StoredLedgers stored_ledgers_to_json(std::span<const core::Ledger> ledgers) {
    LedgerWriter writer;
    Json list = Json::array();
    for (const core::Ledger& ledger : ledgers) list.push_back(writer.ledger(stored_part(ledger)));
    return {writer.tables(), std::move(list)};
}

core::Expected<std::vector<core::Ledger>> stored_ledgers_from_json(const Json& tables, const Json& ledgers) {
    std::vector<core::Ledger> read;
    if (!ledgers.is_array()) return read;
    const LedgerReader reader(tables);
    for (const Json& json : ledgers) {
        core::Expected<core::Ledger> ledger = reader.ledger(json);
        if (!ledger) return tl::unexpected(ledger.error());
        read.push_back(*std::move(ledger));
    }
    return read;
}

}  // namespace tare::record
