// The duet's exports are those of its comparison; JSON is what its record holds.
#include "harness/record/duet_exports.h"

#include <fmt/format.h>

#include "harness/record/comparison_exports.h"
#include "harness/record/duet_table.h"
#include "harness/record/duet_verdict_json.h"

namespace tare::record {

namespace {

void append(std::string& text, const std::string& separator, const std::string& piece) {
    if (piece.empty()) return;
    text += (text.empty() ? "" : separator) + piece;
}

std::string variable_text(const core::Value& value) {
    return value.is_int() ? fmt::format("{}", value.as_int()) : value.as_text();
}

}  // namespace

std::string print_duet_csv(const Duet& duet, const std::vector<CaseVerdict>& verdicts) {
    return print_comparison_csv(comparison_of(duet, verdicts));
}

std::string print_duet_json(const Duet& duet, const std::vector<CaseVerdict>& verdicts) {
    return duet_summary_to_json(duet, verdicts).dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

std::string print_duet_markdown(const Duet& duet, const std::vector<CaseVerdict>& verdicts, const TextStyle& style) {
    return print_comparison_markdown(comparison_of(duet, verdicts), style);
}

std::string side_text(const core::Value& side) {
    const core::Value& subject = side["subject"];
    std::string versions;
    if (const std::string& version = subject["version"].as_text(); !version.empty()) versions = "Python " + version;
    if (const std::string& version = subject["numpy_version"].as_text(); !version.empty())
        append(versions, ", ", "NumPy " + version);
    std::string more;
    for (const core::Value& suite : side["suites"].as_list()) append(more, ", ", '`' + suite.as_text() + '`');
    if (!more.empty()) more.insert(0, "suite ");
    std::string variables;
    for (const auto& [name, value] : side["environment"].as_map())
        append(variables, " ", fmt::format("`{}={}`", name, variable_text(value)));
    append(more, "; ", variables);
    std::string text;
    if (const std::string& python = subject["python"].as_text(); !python.empty()) text = '`' + python + '`';
    append(text, ": ", versions);
    append(text, "; ", more);
    return text;
}

std::string duet_summary_markdown(const Duet& duet, const std::vector<CaseVerdict>& verdicts,
                                  const std::string& command, const TextStyle& style) {
    const SummaryTexts texts{{side_text(duet.sides[0]), side_text(duet.sides[1])}, command};
    return print_comparison_summary(comparison_of(duet, verdicts), texts, style);
}

}  // namespace tare::record
