// The frame with kind, verdicts and counts.
#include "harness/record/duet_verdict_json.h"

#include "harness/record/comparison_json.h"
#include "harness/record/duet_json.h"
#include "harness/record/duet_table.h"

namespace tare::record {

Json duet_summary_to_json(const Duet& duet, const std::vector<CaseVerdict>& verdicts) {
    const Comparison comparison = comparison_of(duet, verdicts);
    Json json = object_of({{"kind", kDuetKind}, {"format_version", kFormatVersion}});
    if (!comparison.notice.empty()) json["notice"] = comparison.notice;
    json["interrupted"] = duet.interrupted;
    json["recovered"] = duet.recovered;
    json["counts"] = counts_to_json(comparison);
    json["notes"] = comparison.notes;
    json["verdicts"] = compared_cases_to_json(comparison);
    json.update(duet_frame_to_json(duet));
    return json;
}

}  // namespace tare::record
