// GitHub's workflow commands: https://docs.github.com/actions, "Workflow commands".
#include "harness/cli/gate.h"

#include <fmt/format.h>

namespace tare::cli {

using record::ComparedCase;
using record::Outcome;

namespace {

/// A command ends with its line, and a property with a comma or a colon.
std::string escaped(const std::string& text, bool property) {
    std::string result;
    for (const char c : text) {
        if (c == '%' || c == '\r' || c == '\n' || (property && (c == ',' || c == ':')))
            result += fmt::format("%{:02X}", static_cast<unsigned char>(c));
        else
            result += c;
    }
    return result;
}

std::string annotation(const std::string& level, const std::string& title, const std::string& text) {
    return fmt::format("::{} title={}::{}\n", level, escaped(title, true), escaped(text, false));
}

bool is_slower(const ComparedCase& compared) {
    return compared.outcome() == Outcome::kSlower;
}

/// Whether the verdict on time is one that a gate heeds.
bool time_gates(const ComparedCase& compared, GateOn gate_on) {
    return gate_on != GateOn::kInstructions && compared.standing == stats::Standing::kGating;
}

bool executes_more(const ComparedCase& compared) {
    return compared.instructions && compared.instructions->exceeds(compared.margins);
}

bool is_open(const ComparedCase& compared, GateOn gate_on) {
    const bool time_open = gate_on != GateOn::kInstructions && compared.outcome() == Outcome::kInconclusive;
    const bool count_open = gate_on != GateOn::kTime && compared.instructions &&
                            compared.instructions->claim == record::InstructionClaim::kNotCompared;
    return time_open || count_open;
}

std::string change_of(const ComparedCase& compared) {
    std::string text = compared.ratio ? record::change_text(*compared.ratio) : "";
    if (compared.ratio_interval) text += " " + record::change_interval_text(*compared.ratio_interval);
    return text;
}

std::string counts_of(const record::ComparedInstructions& compared) {
    const std::string layers = record::changed_layers_text(compared);
    return record::instructions_text(compared) + (layers.empty() ? "" : ": " + layers);
}

}  // namespace

CaseGate gate_of(const ComparedCase& compared, const VerdictOptions& options) {
    CaseGate gate;
    const auto add = [&](ExitCode code, std::string text) {
        gate.code = stronger(gate.code, code);
        gate.text += (gate.text.empty() ? "" : "; ") + std::move(text);
    };
    if (compared.outcome() == Outcome::kFailed)
        add(ExitCode::kCasesFailed, compared.error ? compared.error->error.what : "failed for no known reason");
    if (is_slower(compared) && time_gates(compared, options.gate_on))
        add(ExitCode::kRegression, "slower: " + change_of(compared));
    if (executes_more(compared) && options.gate_on != GateOn::kTime)
        add(ExitCode::kRegression, "executes more instructions: " + counts_of(*compared.instructions));
    if (compared.instructions && compared.instructions->lost && options.gate_on != GateOn::kTime)
        add(ExitCode::kCasesFailed, "its instructions could not be counted");
    if (options.fail_on_inconclusive && is_open(compared, options.gate_on))
        add(ExitCode::kInconclusive, "inconclusive");
    return gate;
}

ExitCode gate_code(const record::Comparison& comparison, const VerdictOptions& options) {
    ExitCode code = ExitCode::kDone;
    for (const ComparedCase& compared : comparison.cases) {
        if (options.gate) code = stronger(code, gate_of(compared, options).code);
        if (compared.outcome() == Outcome::kFailed) code = stronger(code, ExitCode::kCasesFailed);
    }
    return code;
}

std::string github_annotations(const record::Comparison& comparison, const VerdictOptions& options) {
    std::string text;
    for (const ComparedCase* compared : record::by_outcome(comparison)) {
        if (is_slower(*compared))
            text += annotation(time_gates(*compared, options.gate_on) ? "error" : "warning",
                               compared->name + " is slower", change_of(*compared));
        if (executes_more(*compared))
            text += annotation(options.gate_on == GateOn::kTime ? "warning" : "error",
                               compared->name + " executes more instructions", counts_of(*compared->instructions));
        if (compared->outcome() == Outcome::kFailed)
            text += annotation("warning", compared->name + " failed",
                               compared->error ? compared->error->error.what : "no reason is known");
    }
    return text;
}

}  // namespace tare::cli
