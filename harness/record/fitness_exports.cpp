// The same findings, three times.
#include "harness/record/fitness_exports.h"

#include <fmt/format.h>

#include "harness/record/fitness_table.h"
#include "harness/record/json.h"
#include "harness/record/markup.h"

namespace tare::record {

using core::Finding;
using core::Fitness;
using core::Remedy;

namespace {

Json finding_to_json(const Finding& finding) {
    Json remedies = Json::array();
    for (const Remedy& each : finding.remedies)
        remedies.push_back(object_of(
            {{"action", each.action}, {"command", text_or_null(each.command)}, {"undo", text_or_null(each.undo)}}));
    return object_of({{"topic", finding.topic},
                      {"state", core::name_of(finding.state)},
                      {"affects", core::name_of(finding.affects)},
                      {"found", finding.found},
                      {"meaning", finding.meaning},
                      {"values", to_json(core::Value(finding.values))},
                      {"remedies", std::move(remedies)}});
}

/// "do this: `command` (undo: `command`)"
std::string remedy_markdown(const Remedy& remedy) {
    std::string text = markdown_cell(remedy.action);
    if (!remedy.command.empty()) text += fmt::format(": `{}`", markdown_cell(remedy.command));
    if (!remedy.undo.empty()) text += fmt::format(" (undo: `{}`)", markdown_cell(remedy.undo));
    return text;
}

}  // namespace

std::string fitness_json(const Fitness& fitness) {
    Json findings = Json::array();
    for (const Finding& each : fitness.findings) findings.push_back(finding_to_json(each));
    return compact(object_of({{"cpu", fitness.cpu},
                              {"fit_for", core::name_of(fitness.fit_for)},
                              {"verdict", fitness.verdict},
                              {"findings", std::move(findings)}})) +
           '\n';
}

std::string fitness_csv(const Fitness& fitness) {
    std::string text = "topic,state,affects,found,meaning,action,command,undo\n";
    for (const Finding& each : fitness.findings) {
        const std::string finding =
            fmt::format("{},{},{},{},{}", csv_text(each.topic), core::name_of(each.state), core::name_of(each.affects),
                        csv_text(each.found), csv_text(each.meaning));
        if (each.remedies.empty()) text += finding + ",,,\n";
        for (const Remedy& remedy : each.remedies)
            text += fmt::format("{},{},{},{}\n", finding, csv_text(remedy.action), csv_text(remedy.command),
                                csv_text(remedy.undo));
    }
    return text;
}

std::string fitness_markdown(const Fitness& fitness) {
    std::string text = fmt::format("CPU {}: {}\n\n| | topic | found | what to do |\n|---|---|---|---|\n", fitness.cpu,
                                   markdown_cell(fitness.verdict));
    for (const Finding& each : fitness.findings) {
        std::string todo;
        for (const Remedy& remedy : each.remedies) todo += (todo.empty() ? "" : "; ") + remedy_markdown(remedy);
        text +=
            fmt::format("| {} | {} | {} | {} |\n", mark_of(each.state), each.topic, markdown_cell(each.found), todo);
    }
    return text;
}

}  // namespace tare::record
