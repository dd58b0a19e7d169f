// A first worker of each side tells what the record needs and what the page cache holds.
#include "harness/cli/duet_sides.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "harness/cli/interrupt.h"
#include "harness/cli/message.h"
#include "harness/cli/placed_files.h"
#include "harness/cli/run_context.h"
#include "harness/core/clock.h"
#include "harness/measure/page_cache.h"

namespace tare::cli {

using core::Error;
using core::ErrorCode;
using core::Expected;
using core::Side;
using core::Status;
using core::Value;

namespace {

constexpr std::array kSides = {Side::kA, Side::kB};
/// Rounds between two redraws: drawn every second round, a steady difference of placements is noise among pairs
/// (simulated: 0.3 % false alarms; every eighth 2.9 %).
constexpr int kRoundsPerRedraw = 2;

tl::unexpected<Error> of_side(Side side, Error error) {
    if (error.code != ErrorCode::kInterrupted) error.what = fmt::format("side {}: {}", core::name_of(side), error.what);
    return tl::unexpected<Error>(std::move(error));
}

}  // namespace

Expected<DuetSides> DuetSides::open(const SubjectOptions& a, const SubjectOptions& b, const Streams& streams,
                                    std::optional<int> cpu) {
    DuetSides sides;
    sides.options_ = {a, b};
    for (const Side side : kSides) {
        const std::size_t i = index(side);
        Expected<Workbench> bench = Workbench::open(sides.options_[i]);
        if (!bench) return of_side(side, bench.error());
        for (const std::string& warning : bench->command().warnings)
            print_warning(streams, fmt::format("side {}: {}", core::name_of(side), warning));
        const double started_s = core::unix_time_s();
        auto worker = bench->first_worker(cpu);
        if (!worker) return of_side(side, worker.error());
        Expected<Value> facts = bench->subject_facts(**worker);
        if (!facts) return of_side(side, facts.error());
        if (Status s = sides.learn_files(side, **worker); !s) return of_side(side, s.error());
        worker->reset();
        Expected<core::Catalogue> catalogue = bench->catalogue();
        if (!catalogue) return of_side(side, catalogue.error());
        print_problems(streams, *catalogue);
        if (const std::string built = sides.watched_[i].first_modified_after(started_s); !built.empty())
            print_warning(streams,
                          fmt::format("side {} was built anew when it was imported ({})", core::name_of(side), built));
        sides.catalogues_[i] = *std::move(catalogue);
        sides.facts_[i] = *std::move(facts);
        sides.benches_.push_back(*std::move(bench));
    }
    sides.digests_ = {sides.watched_[0].digest(), sides.watched_[1].digest()};
    return sides;
}

Status DuetSides::learn_files(Side side, measure::WorkerLink& worker) {
    const Expected<WorkerFiles> files = files_of(worker);
    if (!files) return tl::unexpected<Error>(files.error());
    watched_[index(side)].add(files->mapped);
    watched_[index(side)].add(files->read);
    code_[index(side)].insert(files->code.begin(), files->code.end());
    return {};
}

std::vector<std::string> DuetSides::redrawn_files() const {
    const auto list = [&](Side side) {
        return std::vector<std::string>(code_[index(side)].begin(), code_[index(side)].end());
    };
    std::vector<std::string> files = measure::mapped_by_one_side(list(Side::kA), list(Side::kB));
    std::erase_if(files, [](const std::string& path) { return !placement_matters(path); });
    return files;
}

Value DuetSides::facts(Side side) const {
    core::Map facts = subject_context(bench(side));
    add_subject(facts, facts_[index(side)]);
    const SubjectOptions& options = options_[index(side)];
    core::List suites;
    for (const std::string& suite : options.suites)
        suites.emplace_back(std::filesystem::absolute(suite).lexically_normal().string());
    facts.insert_or_assign("suites", std::move(suites));
    facts.insert_or_assign("files_digest", digests_[index(side)]);
    return facts;
}

Expected<measure::WorkerPair> DuetSides::spawn(Side first, const measure::WorkerDraw& a, const measure::WorkerDraw& b,
                                               int cpu, const core::List& cases) const {
    measure::WorkerPair pair;
    for (const Side side : {first, core::other(first)}) {
        auto worker = bench(side).spawn(side == Side::kA ? a : b, cpu, cases);
        if (!worker) return of_side(side, worker.error());
        (side == Side::kA ? pair.a : pair.b) = *std::move(worker);
    }
    return pair;
}

Status DuetSides::prepare_round(int round, record::PageCacheRedraw& redraw) const {
    for (const Side side : kSides)
        if (const std::string changed = watched_[index(side)].first_changed(); !changed.empty())
            return core::fail(
                ErrorCode::kEnvironment,
                fmt::format("side {} is no longer what it was: {} has changed", core::name_of(side), changed),
                "what was measured before is kept; start again with the new build");
    redraw.files = redrawn_files();
    if (redraw.files.empty() || round == 0 || round % kRoundsPerRedraw != 0) return {};
    redraw_placement(redraw);
    return {};
}

}  // namespace tare::cli
