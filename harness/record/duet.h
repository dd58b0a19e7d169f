// Duet: everything that one live comparison of two subjects measured, and the file that holds it: JSON, a superset of
// Google Benchmark's schema 1 like a run's record. Verdicts are computed from it, never stored alone: `decide` gives
// those that were given live. Pure but for write_duet and read_duet.
#pragma once

#include <array>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/core/pair_visit.h"
#include "harness/core/value.h"
#include "harness/record/record.h"
#include "harness/stats/quad.h"
#include "harness/stats/suite_decision.h"

namespace tare::record {

enum class Presence { kBoth, kOnlyA, kOnlyB };

/// A case that was selected, in the catalogue's order; those on one side only are reported, not measured.
struct DuetCase {
    std::string name;
    std::string statement_a;  ///< empty where the side lacks the case
    std::string statement_b;
    Presence presence = Presence::kBoth;
    stats::Margins margins;
    bool operator==(const DuetCase&) const = default;
};

/// How the placement of a run's or a duet's shared objects in the page cache was redrawn.
struct PageCacheRedraw {
    std::vector<std::string> files;  ///< of a duet those that one side maps: these can differ in their placement
    int rounds_redrawn = 0;          ///< rounds before which all of them were evicted
    int rounds = 0;
    std::string refused;  ///< why an eviction did not succeed, with the file; empty if all did or none was needed
    std::vector<std::string> kept = {};  ///< files that stayed where they were before a round, wholly or in part
    bool operator==(const PageCacheRedraw&) const = default;
};

struct Duet {
    core::Value context;               ///< as in Record: machine and harness
    std::array<core::Value, 2> sides;  ///< maps: subject, host, worker, numpy, blas, suites, environment
    core::Value settings;              ///< filter, budget_s, injected_ratio, ...
    stats::SuiteRules rules;           ///< looks, false discovery rate, correction, seed
    std::vector<DuetCase> cases;
    std::vector<core::PairVisit> visits;
    std::vector<int> ended_after_rounds;  ///< ascending; more than one where a duet was continued; empty: under way
    PageCacheRedraw page_cache;
    std::vector<core::Catalogue::Problem> problems;
    bool interrupted = false;
    bool recovered = false;  ///< made from the journal of a duet that was killed

    bool operator==(const Duet&) const = default;
};

struct CaseVerdict {
    DuetCase selected;
    stats::CaseState state;
    /// Median over pairs of the median batch, per execution, floor included; put so that they differ by the estimated
    /// change, about the middle of both (of logarithms): each by itself follows what slowed some of the pairs.
    std::optional<double> a_ns;
    std::optional<double> b_ns;
    std::optional<core::SideError> error;  ///< the case failed on that side, perhaps not on it alone
    bool failed_on_both = false;
    bool operator==(const CaseVerdict&) const = default;
};

/// What one visit says: times are wall time by the visit's n on both sides, so that injected work shows. Nothing where
/// the visit failed or a time is not a positive number.
[[nodiscard]] std::optional<stats::PairEstimate> estimate_of(const core::PairVisit& visit);

/// For stats::advance: one series per case that both sides have, in the order of `cases`. A case that failed has no
/// value of that round and none after it.
[[nodiscard]] std::vector<stats::CaseSeries> series_of(const Duet& duet);

/// The verdicts, recomputed from the quads by replaying the rounds, and capped. In the order of `cases`. Visits of a
/// round beyond the last of `ended_after_rounds`, if there is any, belong to a round that was broken off: they count
/// only once the duet is continued.
[[nodiscard]] std::vector<CaseVerdict> decide(const Duet& duet);

/// How far two byte-identical copies may seem to differ, round after round, where the page cache keeps their placement:
/// 7.4 % was measured, and up to 8 % is not told from it.
inline constexpr double kPlacementRelative = 0.08;

/// Verdicts as far as they reach: where a redraw of the page cache was refused, `same` and changes that are not proven
/// to exceed kPlacementRelative become inconclusive (placement). Else, and applied twice, the same.
[[nodiscard]] std::vector<CaseVerdict> capped(std::vector<CaseVerdict> verdicts, const PageCacheRedraw& page_cache);

/// A duet whose sides are swapped: its verdicts are the mirrored ones.
[[nodiscard]] Duet mirrored(const Duet& duet);

/// "WORK WAS INJECTED: ..." where a side executed more or less than the other (settings: injected_ratio, of b unless
/// injected_side says "a"); else empty.
[[nodiscard]] std::string injection_notice(const Duet& duet);

[[nodiscard]] core::Status print_duet(const Duet& duet, const std::vector<CaseVerdict>& verdicts, const Sink& sink);
/// As write_record.
[[nodiscard]] core::Status write_duet(const std::filesystem::path& path, const Duet& duet,
                                      const std::vector<CaseVerdict>& verdicts,
                                      const std::filesystem::path& journal = {});
/// As read_record; a run's record gives kData with the command that takes it. Quads are read back exactly.
[[nodiscard]] core::Expected<Duet> read_duet(const std::filesystem::path& path);
[[nodiscard]] core::Expected<Duet> parse_duet(std::string_view text, std::string_view name);

}  // namespace tare::record
