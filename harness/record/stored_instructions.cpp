// Joining by name.
#include "harness/record/stored_instructions.h"

#include <map>
#include <optional>

#include "harness/record/shared_lines.h"

namespace tare::record {

namespace {

using LedgersByName = std::map<std::string, const core::Ledger*, std::less<>>;

LedgersByName by_name(const Record& record) {
    LedgersByName found;
    for (const core::Ledger& ledger : record.ledgers) found.insert_or_assign(ledger.case_name, &ledger);
    return found;
}

std::optional<ComparedInstructions> lost_ledger(const core::Ledger& before, const Record& after) {
    for (const core::LedgerProblem& problem : after.ledger_problems) {
        if (problem.case_name != before.case_name) continue;
        ComparedInstructions compared;
        compared.before = before.total;
        compared.reason = "no ledger in the new record: " + one_line(problem.error.what);
        compared.lost = true;
        return compared;
    }
    return std::nullopt;
}

}  // namespace

void add_instructions(Comparison& comparison, const Record& before, const Record& after,
                      const std::function<stats::Margins(const std::string& case_name)>& margins_of) {
    LedgersByName old_ledgers = by_name(before), new_ledgers = by_name(after);
    for (ComparedCase& compared : comparison.cases) {
        const auto first = old_ledgers.find(compared.name), second = new_ledgers.find(compared.name);
        const bool in_old = first != old_ledgers.end(), in_new = second != new_ledgers.end();
        if (in_old && in_new) compared.instructions = compare_ledgers(*first->second, *second->second);
        if (in_old && !in_new) compared.instructions = lost_ledger(*first->second, after);
        compared.one_ledger = in_old != in_new && !compared.instructions;
        if (in_old) old_ledgers.erase(first);
    }
    for (const auto& [name, ledger] : old_ledgers) {
        const auto other = new_ledgers.find(name);
        if (other == new_ledgers.end()) continue;
        ComparedCase compared;
        compared.name = name;
        compared.standing = stats::Standing::kIndicative;
        if (margins_of) compared.margins = margins_of(name);
        compared.instructions = compare_ledgers(*ledger, *other->second);
        comparison.cases.push_back(std::move(compared));
    }
}

}  // namespace tare::record
