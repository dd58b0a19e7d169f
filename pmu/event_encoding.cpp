// pfm_get_os_event_encoding and its errors, in words. libpfm keeps its tables in static memory: one thread at a time.
#include "pmu/event_encoding.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <perfmon/pfmlib_perf_event.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <memory>
#include <utility>
#include <vector>

#include "harness/core/edit_distance.h"
#include "pmu/event_catalogue.h"

namespace tare::pmu {

using core::ErrorCode;
using core::fail;

namespace {

constexpr std::size_t kLongestName = 200;  // libpfm's own longest, all masks named, stays below
constexpr std::size_t kMasksShown = 8;
constexpr int kProposals = 3;

struct Free {
    void operator()(char* text) const { std::free(text); }
};

bool is_event_name(std::string_view name) {
    const auto good = [](char c) { return std::isgraph(static_cast<unsigned char>(c)) != 0 && c != ','; };
    return !name.empty() && name.size() <= kLongestName && std::all_of(name.begin(), name.end(), good);
}

/// For messages: what cannot be printed is a question mark.
std::string shown(std::string_view name) {
    constexpr std::size_t kMost = 60;
    std::string text(name.substr(0, kMost));
    for (char& c : text)
        if (std::isprint(static_cast<unsigned char>(c)) == 0) c = '?';
    return text + (name.size() > kMost ? "..." : "");
}

std::vector<std::string_view> parts_of(std::string_view text) {
    std::vector<std::string_view> parts;
    for (std::size_t from = 0; from <= text.size();) {
        const std::size_t to = std::min(text.find(':', from), text.size());
        parts.push_back(text.substr(from, to - from));
        from = to + 1;
    }
    return parts;
}

/// libpfm spells every modifier out: "skx::L1D:REPLACEMENT:e=0:i=0:c=2:u=1:k=0:mg=0:mh=1". Kept are those that change
/// what is counted; who is counted is said elsewhere.
std::string without_idle_modifiers(std::string_view full) {
    constexpr std::array<std::string_view, 8> kElsewhere = {"u", "k", "h", "mg", "mh", "excl", "precise", "hw_smpl"};
    const std::size_t name_from = full.find("::") == std::string_view::npos ? 0 : full.find("::") + 2;
    std::string kept(full.substr(0, name_from));
    bool first = true;
    for (const std::string_view part : parts_of(full.substr(name_from))) {
        const std::size_t equals = part.find('=');
        if (equals != std::string_view::npos) {
            const std::string_view key = part.substr(0, equals);
            if (part.substr(equals) == "=0" || std::find(kElsewhere.begin(), kElsewhere.end(), key) != kElsewhere.end())
                continue;
        }
        kept += (first ? "" : ":") + std::string(part);
        first = false;
    }
    return kept;
}

/// The PMU that a name begins with, where libpfm has it but not for this CPU.
bool names_other_cpu(std::string_view name) {
    const std::size_t end = name.find("::");
    if (end == std::string_view::npos) return false;
    int pmu = 0;
    pfm_for_all_pmus(pmu) {
        pfm_pmu_info_t info{};
        info.size = sizeof info;
        if (pfm_get_pmu_info(static_cast<pfm_pmu_t>(pmu), &info) == PFM_SUCCESS && info.is_present == 0 &&
            name.substr(0, end) == info.name)
            return true;
    }
    return false;
}

core::Error unknown_event(std::string_view name) {
    if (names_other_cpu(name))
        return {ErrorCode::kUsage, fmt::format("event '{}' is of another CPU", shown(name)),
                "`bench pmu list` shows this one's"};
    const std::vector<std::string> nearest = nearest_events(name, kProposals);
    return {ErrorCode::kUsage, fmt::format("no counter or event is called '{}'", shown(name)),
            nearest.empty() ? std::string("`bench pmu list` shows those there are")
                            : fmt::format("nearest: {}; `bench pmu list RE` shows them all", fmt::join(nearest, ", "))};
}

/// A known event with a mask or modifier that it does not have, or without one that it needs.
core::Error wrong_masks(std::string_view name, int code) {
    const std::string what = fmt::format("event '{}': {}", shown(name), pfm_strerror(code));
    // The event alone: everything up to the separator behind its name.
    const std::size_t from = name.find("::") == std::string_view::npos ? 0 : name.find("::") + 2;
    const std::string event(name.substr(0, std::min(name.find_first_of(":.", from), name.size())));
    for (const EventDescription& known : known_events().value_or(std::vector<EventDescription>{})) {
        const std::string_view bare = std::string_view(known.name).substr(known.name.find("::") + 2);
        const auto same = [&event](std::string_view other) {
            return std::equal(event.begin(), event.end(), other.begin(), other.end(), [](char a, char b) {
                return std::toupper(static_cast<unsigned char>(a)) == std::toupper(static_cast<unsigned char>(b));
            });
        };
        if (!same(known.name) && !same(bare)) continue;
        if (known.masks.empty()) return {ErrorCode::kUsage, what, fmt::format("{} has no masks", known.name)};
        const std::string_view wanted = parts_of(name).back();
        std::vector<std::pair<std::size_t, std::string_view>> ranked;
        for (const EventAttribute& mask : known.masks)
            ranked.emplace_back(core::edit_distance(wanted, mask.name), mask.name);
        std::stable_sort(ranked.begin(), ranked.end(), [](auto& a, auto& b) { return a.first < b.first; });
        std::vector<std::string_view> masks;
        for (const auto& [distance, mask] : ranked)
            if (masks.size() < kMasksShown) masks.push_back(mask);
        return {ErrorCode::kUsage, what,
                fmt::format("its masks: {}{}; `bench pmu list '^{}$'` explains them", fmt::join(masks, ", "),
                            known.masks.size() > masks.size() ? ", ..." : "", known.name)};
    }
    return {ErrorCode::kUsage, what, "`bench pmu list RE` shows events with their masks"};
}

/// What the event's own modifiers ask for beyond counting, or of whom. PMUs that cannot tell users from the kernel have
/// no modifiers for it.
std::string contradiction(const perf_event_attr& attributes, std::string_view full, bool kernel) {
    const bool tells_users = full.find(":k=") != std::string_view::npos;
    if (tells_users && (attributes.exclude_user != 0 || (attributes.exclude_kernel != 0) == kernel))
        return "who is counted is chosen for all counters: user code, or with --count-kernel the kernel, too";
    if (attributes.sample_period != 0 || attributes.freq != 0 || attributes.precise_ip != 0)
        return "counters are read, not sampled";
    if (attributes.pinned != 0 || attributes.exclusive != 0) return "tare decides how counters are scheduled";
    return {};
}

bool counts_per_thread(int event) {
    pfm_event_info_t info{};
    info.size = sizeof info;
    pfm_pmu_info_t pmu{};
    pmu.size = sizeof pmu;
    if (pfm_get_event_info(event, PFM_OS_PERF_EVENT_EXT, &info) != PFM_SUCCESS ||
        pfm_get_pmu_info(info.pmu, &pmu) != PFM_SUCCESS)
        return true;
    return pmu.type != PFM_PMU_TYPE_UNCORE;
}

}  // namespace

core::Status start_libpfm() {
    static const int code = pfm_initialize();
    if (code == PFM_SUCCESS) return {};
    return fail(ErrorCode::kEnvironment, fmt::format("libpfm cannot start: {}", pfm_strerror(code)),
                "roles, as in --counters default, do without it");
}

core::Expected<EventEncoding> encode(std::string_view name, bool kernel) {
    if (core::Status started = start_libpfm(); !started) return tl::unexpected<core::Error>(started.error());
    if (!is_event_name(name))
        return fail(ErrorCode::kUsage, fmt::format("'{}' is no event's name", shown(name)),
                    "`bench pmu list` shows those there are");
    perf_event_attr attributes{};
    attributes.size = sizeof attributes;
    char* full = nullptr;
    pfm_perf_encode_arg_t argument{};
    argument.size = sizeof argument;
    argument.attr = &attributes;
    argument.fstr = &full;
    errno = 0;  // libpfm takes an ERANGE of long ago for a raw code that is too large
    const std::string text(name);
    const int code = pfm_get_os_event_encoding(text.c_str(), kernel ? PFM_PLM3 | PFM_PLM0 : PFM_PLM3,
                                               PFM_OS_PERF_EVENT_EXT, &argument);
    const std::unique_ptr<char, Free> owned(full);
    if (code == PFM_ERR_NOTFOUND || code == PFM_ERR_INVAL || code == PFM_ERR_NOTSUPP)
        return tl::unexpected<core::Error>(unknown_event(name));
    if (code != PFM_SUCCESS) return tl::unexpected<core::Error>(wrong_masks(name, code));
    if (const std::string why = contradiction(attributes, full != nullptr ? full : "", kernel); !why.empty())
        return fail(ErrorCode::kUsage, fmt::format("event '{}': {}", shown(name), why), "leave the modifier out");
    EventEncoding encoding{.event = without_idle_modifiers(full != nullptr ? full : text.c_str()),
                           .type = attributes.type,
                           .config = attributes.config,
                           .config1 = attributes.config1,
                           .config2 = attributes.config2,
                           .per_thread = counts_per_thread(argument.idx)};
    if (encoding.event.starts_with("perf_raw::")) encoding.event = fmt::format("perf_raw::r{:x}", encoding.config);
    return encoding;
}

}  // namespace tare::pmu
