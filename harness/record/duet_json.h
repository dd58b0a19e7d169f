// A duet but for its context and visits, as JSON, exactly: what the first line of its journal and the top-level `tare`
// object of its record share.
#pragma once

#include "harness/record/duet.h"
#include "harness/record/json.h"

namespace tare::record {

inline constexpr const char* kDuetKind = "duet";

[[nodiscard]] std::string_view name_of(Presence presence);  ///< "both", "only a", "only b"

[[nodiscard]] Json problems_to_json(const std::vector<core::Catalogue::Problem>& problems);
void read_problems(std::vector<core::Catalogue::Problem>& problems, const Json& json);
[[nodiscard]] Json page_cache_to_json(const PageCacheRedraw& page_cache);
[[nodiscard]] PageCacheRedraw page_cache_from_json(const Json& json);
[[nodiscard]] Json sides_to_json(const std::array<core::Value, 2>& sides);
void read_sides(std::array<core::Value, 2>& sides, const Json& json);

/// {"sides", "settings", "rules", "cases", "page_cache", "ended_after_rounds", "problems"}
[[nodiscard]] Json duet_frame_to_json(const Duet& duet);
/// Errors: kData for rules, margins or rounds that `stats` would not take.
[[nodiscard]] core::Status read_duet_frame(Duet& duet, const Json& json);

}  // namespace tare::record
