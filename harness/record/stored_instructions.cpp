// Joining by name.
#include "harness/record/stored_instructions.h"

#include <map>

namespace tare::record {

namespace {

using LedgersByName = std::map<std::string, const core::Ledger*, std::less<>>;

LedgersByName by_name(std::span<const core::Ledger> ledgers) {
    LedgersByName found;
    for (const core::Ledger& ledger : ledgers) found.insert_or_assign(ledger.case_name, &ledger);
    return found;
}

}  // namespace

void add_instructions(Comparison& comparison, std::span<const core::Ledger> before, std::span<const core::Ledger> after,
                      const std::function<stats::Margins(const std::string& case_name)>& margins_of) {
    LedgersByName old_ledgers = by_name(before), new_ledgers = by_name(after);
    for (ComparedCase& compared : comparison.cases) {
        const auto first = old_ledgers.find(compared.name), second = new_ledgers.find(compared.name);
        const bool in_old = first != old_ledgers.end(), in_new = second != new_ledgers.end();
        compared.one_ledger = in_old != in_new;
        if (in_old && in_new) compared.instructions = compare_ledgers(*first->second, *second->second);
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
