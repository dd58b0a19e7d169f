// Grid, JSON, CSV and Markdown of cases.
#include "harness/record/catalogue_export.h"

#include <fmt/format.h>

#include <algorithm>

#include "harness/record/json.h"
#include "harness/record/markup.h"
#include "harness/record/text_grid.h"

namespace tare::record {

namespace {

/// All cases of one operation: "kind=float|array, n=1|8".
struct Group {
    std::string operation;
    std::string statement;
    std::size_t cases = 0;
    std::vector<std::pair<std::string, std::vector<std::string>>> values;

    void add(const core::Case& added) {
        ++cases;
        for (const auto& [key, value] : added.parameters) {
            auto axis = values.begin();
            while (axis != values.end() && axis->first != key) ++axis;
            if (axis == values.end()) axis = values.insert(values.end(), {key, {}});
            if (std::find(axis->second.begin(), axis->second.end(), value) == axis->second.end())
                axis->second.push_back(value);
        }
    }
    [[nodiscard]] std::string parameters() const {
        std::string text;
        for (const auto& [key, options] : values) {
            text += (text.empty() ? "" : " ") + key + '=';
            for (std::size_t i = 0; i < options.size(); ++i) text += (i > 0 ? "|" : "") + options[i];
        }
        return text;
    }
};

std::vector<Group> groups_of(const std::vector<core::Case>& cases) {
    std::vector<Group> groups;
    for (const core::Case& each : cases) {
        auto group =
            std::find_if(groups.begin(), groups.end(), [&](const Group& g) { return g.operation == each.operation; });
        if (group == groups.end()) {
            groups.push_back({.operation = each.operation, .statement = each.statement, .cases = 0, .values = {}});
            group = groups.end() - 1;
        }
        group->add(each);
    }
    return groups;
}

std::string rungs_text(const core::Case& of, const char* separator) {
    std::string text;
    for (const core::RungKind kind : of.rungs)
        text += (text.empty() ? "" : separator) + std::string(core::name_of(kind));
    return text;
}

std::string first_line(const std::string& statement) {
    return statement.substr(0, statement.find('\n'));
}

}  // namespace

std::string print_case_table(const std::vector<core::Case>& cases, bool every_case, std::size_t width) {
    const std::vector<Group> groups = groups_of(cases);
    std::vector<GridRow> rows;
    std::vector<Column> columns;
    if (every_case) {
        columns = {{"case", 0, true}, {"statement", 1, true}, {"rungs", 2, true}};
        for (const core::Case& each : cases)
            rows.push_back({{each.name(), first_line(each.statement), rungs_text(each, " ")}});
    } else {
        columns = {{"operation", 0, true}, {"cases", 2, false}, {"statement", 3, true}, {"parameters", 1, true}};
        for (const Group& group : groups)
            rows.push_back(
                {{group.operation, std::to_string(group.cases), first_line(group.statement), group.parameters()}});
    }
    return print_grid(columns, rows, width, {}) + fmt::format("\n{} case{} of {} operation{}\n", cases.size(),
                                                              cases.size() == 1 ? "" : "s", groups.size(),
                                                              groups.size() == 1 ? "" : "s");
}

std::string print_case_json(const std::vector<core::Case>& cases) {
    Json list = Json::array();
    for (const core::Case& each : cases) {
        Json parameters = Json::object();
        for (const auto& [key, value] : each.parameters) parameters[key] = value;
        Json rungs = Json::array();
        for (const core::RungKind kind : each.rungs) rungs.push_back(std::string(core::name_of(kind)));
        list.push_back(object_of({{"name", each.name()},
                                  {"operation", each.operation},
                                  {"parameters", std::move(parameters)},
                                  {"statement", each.statement},
                                  {"rungs", std::move(rungs)}}));
    }
    return compact(object_of({{"cases", std::move(list)}})) + '\n';
}

std::string print_case_csv(const std::vector<core::Case>& cases) {
    std::string text = "case,operation,statement,rungs\n";
    for (const core::Case& each : cases)
        text += fmt::format("{},{},{},{}\n", csv_text(each.name()), csv_text(each.operation), csv_text(each.statement),
                            rungs_text(each, " "));
    return text;
}

std::string print_case_markdown(const std::vector<core::Case>& cases) {
    std::string text = "| case | statement | rungs |\n|---|---|---|\n";
    for (const core::Case& each : cases)
        text += fmt::format("| `{}` | `{}` | {} |\n", markdown_cell(each.name()),
                            markdown_cell(first_line(each.statement)), rungs_text(each, " "));
    return text;
}

}  // namespace tare::record
