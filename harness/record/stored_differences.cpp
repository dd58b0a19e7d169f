// Facts of context, sides and visits, side by side.
#include "harness/record/stored_differences.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "harness/record/json.h"
#include "harness/record/shared_lines.h"

namespace tare::record {

namespace {

/// Of the reference: the builds, wherever they are installed.
constexpr std::array kSubjectFacts = {"version_text", "numpy_version", "executable_build_id", "libpython_build_id"};

std::string fact_text(const core::Value& value) {
    if (value.is_nil()) return "not recorded";
    if (value.is_text()) return one_line(value.as_text());
    return compact(to_json(value));
}

/// Records of earlier versions do not name them.
core::Value variables_of(const core::Value& subject) {
    return subject["environment"].is_nil() ? core::Value(core::Map{}) : subject["environment"];
}

class Differences {
  public:
    void compare(const std::string& fact, const core::Value& before, const core::Value& after) {
        if (!(before == after)) found_.push_back({fact, fact_text(before), fact_text(after)});
    }
    void compare_machines(const core::Value& before, const core::Value& after) {
        for (const char* fact : kMachineFacts) compare(fact, before[fact], after[fact]);
        compare("tare_version", before["tare_version"], after["tare_version"]);  // another batch, another figure
    }
    [[nodiscard]] std::vector<Difference> take() { return std::move(found_); }

  private:
    std::vector<Difference> found_;
};

}  // namespace

std::vector<Difference> differences(const Record& before, const Record& after) {
    Differences found;
    found.compare_machines(before.context, after.context);
    found.compare("host", before.context["host"], after.context["host"]);
    found.compare("threads", before.settings["threads"], after.settings["threads"]);
    found.compare("environment", variables_of(before.context), variables_of(after.context));
    for (const char* key : {"setup", "setup_each"})  // of an expression
        found.compare(key, before.settings[key], after.settings[key]);
    // Where none is forced, a statement of about 20 us has 8 copies in one run and 1 in the next: gross is net of the
    // loop either way.
    found.compare("unroll", before.settings["unroll"], after.settings["unroll"]);
    return found.take();
}

std::vector<Difference> differences(const Duet& before, const Duet& after) {
    Differences found;
    found.compare_machines(before.context, after.context);
    for (const std::size_t side : {0U, 1U})
        found.compare(side == 0 ? "host of a" : "host of b", before.sides[side]["host"], after.sides[side]["host"]);
    for (const char* fact : kSubjectFacts)
        found.compare(fmt::format("reference's {}", fact), before.sides[0]["subject"][fact],
                      after.sides[0]["subject"][fact]);
    found.compare("reference's git_revision", before.sides[0]["numpy"]["git_revision"],
                  after.sides[0]["numpy"]["git_revision"]);
    for (const char* key : {"setup", "setup_each"}) found.compare(key, before.settings[key], after.settings[key]);
    found.compare("reference's environment", before.sides[0]["environment"], after.sides[0]["environment"]);
    found.compare("threads", before.settings["threads"], after.settings["threads"]);
    std::vector<Difference> list = found.take();
    const std::string injected_before = injection_notice(before), injected_after = injection_notice(after);
    if (!injected_before.empty() || !injected_after.empty())
        list.push_back({"injected work", injected_before.empty() ? "none" : injected_before,
                        injected_after.empty() ? "none" : injected_after});
    return list;
}

core::Error incomparable(const std::vector<Difference>& found, const std::string& option) {
    std::string text;
    for (const Difference& difference : found)
        text += fmt::format("{}{} ({} and {})", text.empty() ? "" : ", ", difference.fact, difference.before,
                            difference.after);
    return {core::ErrorCode::kUsage, "the records were measured under different conditions: " + text,
            fmt::format("measure both on one machine, or compare all the same with {}", option)};
}

}  // namespace tare::record
