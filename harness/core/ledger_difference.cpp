// Keys of programs, member by member.
#include "harness/core/ledger_difference.h"

#include <fmt/format.h>

#include <set>
#include <sstream>

namespace tare::core {

namespace {

/// The words of `text` that `other` lacks, in their order: a list of CPU features is hundreds of letters long.
std::string words_lacking(const std::string& text, const std::string& other) {
    std::istringstream all(text), others(other);
    std::set<std::string> known;
    for (std::string word; others >> word;) known.insert(word);
    std::string lacking;
    for (std::string word; all >> word;)
        if (known.count(word) == 0) lacking += (lacking.empty() ? "" : " ") + word;
    return lacking;
}

}  // namespace

std::vector<ProgramDifference> differences(const ProgramKey& before, const ProgramKey& after) {
    std::vector<ProgramDifference> found;
    const auto compare = [&](const char* member, const std::string& first, const std::string& second) {
        if (first != second) found.push_back({member, first, second});
    };
    compare("architecture", before.architecture, after.architecture);
    if (before.cpu_features != after.cpu_features)
        found.push_back({"cpu_features", words_lacking(before.cpu_features, after.cpu_features),
                         words_lacking(after.cpu_features, before.cpu_features)});
    compare("blas_core", before.blas_core, after.blas_core);
    compare("python_build_id", before.python_build_id, after.python_build_id);
    compare("host", before.host, after.host);
    return found;
}

std::string difference_text(const std::vector<ProgramDifference>& differences) {
    std::string text;
    const auto shown = [](const std::string& value) { return value.empty() ? std::string("none") : value; };
    for (const ProgramDifference& each : differences)
        text +=
            fmt::format("{}{} ({}; {})", text.empty() ? "" : ", ", each.member, shown(each.before), shown(each.after));
    return text;
}

}  // namespace tare::core
