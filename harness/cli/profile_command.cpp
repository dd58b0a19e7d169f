// The wiring: ring, program, maps, builder. Samples are drained and unwound while the program runs.
#include "harness/cli/profile_command.h"

#include <fmt/format.h>
#include <poll.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>

#include "harness/attribution/process_maps.h"
#include "harness/attribution/profile_builder.h"
#include "harness/cli/installation.h"
#include "harness/cli/interrupt.h"
#include "harness/cli/jit_watch.h"
#include "harness/cli/ledger_maker.h"
#include "harness/cli/message.h"
#include "harness/cli/profile_output.h"
#include "harness/cli/profiled_program.h"
#include "harness/cli/signal_forwarding.h"
#include "harness/cli/thread_names.h"
#include "harness/core/clock.h"
#include "harness/measure/subject.h"
#include "harness/record/profile_json.h"
#include "pmu/sample_ring.h"

namespace tare::cli {

using core::Error;
using core::ErrorCode;
using core::Expected;

namespace {

constexpr int kDrainMs = 10;  // a hundredth of what the ring holds at 1 kHz, of 10,000 Python frames a 25th
constexpr std::int64_t kMapsAgeNs = 100'000'000;      // what is loaded anew is known a tenth of a second later
constexpr std::int64_t kUrgentMapsAgeNs = 2'000'000;  // where a sample lies outside of what is known

// CPU time in no sample of which nothing is said: what a start, an end and the handlers take.
constexpr double kLittleNs = 0.2e9;
constexpr double kLittleRatio = 0.25;
constexpr double kFewSamples = 5;

std::string text_of(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

std::string chosen_python(const Options& options) {
    if (!options.subject.python.empty()) return options.subject.python;
    const char* preset = std::getenv("TARE_PYTHON");
    return preset != nullptr && *preset != '\0' ? preset : "python3";
}

Expected<std::string> library_of(const measure::Subject& subject, const Installation& installation) {
    for (const std::filesystem::path& folder : installation.worker_dirs) {
        const std::filesystem::path library = folder / ("libtare_profile." + subject.abi + ".so");
        std::error_code failure;
        if (std::filesystem::exists(library, failure)) return library.string();
    }
    return core::fail(ErrorCode::kEnvironment,
                      fmt::format("{} is CPython {} ({}), for which nothing was built to sample it", subject.python,
                                  subject.version, subject.abi),
                      fmt::format("build it, once: bench worker build --python '{}'", subject.python));
}

Expected<core::Profile> profile_before(const std::string& path) {
    std::error_code failure;
    if (!std::filesystem::is_regular_file(path, failure))
        return core::fail(ErrorCode::kUsage, fmt::format("--against {}: no such file", path),
                          "name a profile that `bench profile --out FILE` wrote");
    return record::profile_from_json(text_of(path), path);
}

attribution::FrameView view_of(FramesShown frames) {
    return frames == FramesShown::kNative   ? attribution::FrameView::kNative
           : frames == FramesShown::kPython ? attribution::FrameView::kPython
                                            : attribution::FrameView::kBoth;
}

/// One run of the program.
class Profiling {
  public:
    Profiling(const Options& options, pmu::SampleRing& ring, const attribution::LayerTable& layers)
        : options_(options),
          ring_(ring),
          builder_(layers,
                   {.view = view_of(options.profile.frames),
                    .gil_only = options.profile.gil_only,
                    .waiting = options.profile.waiting,
                    .by_thread = options.profile.threads},
                   [&ring](std::uint32_t number) { return ring.code().read(number); }) {}

    /// Until the program has ended.
    [[nodiscard]] ProgramEnd follow(ProfiledProgram& program);
    [[nodiscard]] core::Profile finish(const ProgramEnd& end);

  private:
    struct Maps {
        std::int64_t read_ns = 0;
        std::size_t hash = 0;
    };
    void take_samples(bool last);
    void forward_signals(ProfiledProgram& program);
    void read_maps(std::int32_t process, std::int64_t allowed_age_ns);
    void set_maps(std::int32_t process, const std::string& text);
    void read_compiled_code();
    void read_compiled_code(std::int32_t process);
    void add_perf_maps();
    [[nodiscard]] std::vector<std::string> warnings(const ProgramEnd& end) const;
    [[nodiscard]] std::string unsampled(double sampled_ns, double spent_ns) const;

    const Options& options_;
    pmu::SampleRing& ring_;
    attribution::ProfileBuilder builder_;
    attribution::ProcessMaps files_;
    ThreadNames threads_;
    JitWatch compilers_;
    SignalForwarding forwarding_;
    std::map<std::int32_t, Maps> maps_;
    const std::int64_t started_ns_ = core::wall_clock_ns();
    std::int64_t ended_ns_ = 0;
};

void Profiling::set_maps(std::int32_t process, const std::string& text) {
    Maps& known = maps_[process];
    const std::size_t hash = std::hash<std::string>()(text);
    if (text.empty() || hash == known.hash) return;
    known.hash = hash;
    const std::vector<core::CodeModule> modules = files_.modules(text);
    builder_.set_modules(process, modules);
    compilers_.set_modules(process, modules);
    read_compiled_code(process);  // before the first sample in it is unwound
}

void Profiling::read_maps(std::int32_t process, std::int64_t allowed_age_ns) {
    const std::int64_t now_ns = core::wall_clock_ns();
    Maps& known = maps_[process];
    if (known.read_ns != 0 && now_ns - known.read_ns < allowed_age_ns) return;
    known.read_ns = now_ns;
    set_maps(process, text_of(fmt::format("/proc/{}/maps", process)));
}

void Profiling::take_samples(bool last) {
    read_compiled_code();
    const std::int64_t now_ns = core::wall_clock_ns();
    for (const core::StackSample& sample : ring_.drain()) {
        threads_.met(sample.process, sample.thread, now_ns);
        if (last)
            set_maps(sample.process, ring_.left_maps(sample.process));
        else
            read_maps(sample.process, builder_.knows(sample.process, sample.registers[core::kInstructionPointer])
                                          ? kMapsAgeNs
                                          : kUrgentMapsAgeNs);
        builder_.add(sample);
    }
}

/// While the process is alive: what its compilers wrote since the last time.
void Profiling::read_compiled_code() {
    for (const auto& [process, known] : maps_) read_compiled_code(process);
}

void Profiling::read_compiled_code(std::int32_t process) {
    for (const std::string& object : compilers_.fresh_objects(process)) builder_.add_compiled(process, object);
}

void Profiling::forward_signals(ProfiledProgram& program) {
    const std::int64_t now_ns = core::wall_clock_ns();
    while (const std::optional<SentSignal> sent = take_sent_signal())
        if (sent->sender != program.process()) forwarding_.sent(sent->number, now_ns);
    while (const std::optional<int> signal = forwarding_.due(now_ns)) program.send(*signal);
}

ProgramEnd Profiling::follow(ProfiledProgram& program) {
    for (;;) {
        const std::optional<ProgramEnd> end = program.ended();
        take_samples(end.has_value());
        if (end) {
            ended_ns_ = core::wall_clock_ns();
            return *end;
        }
        forward_signals(program);
        poll(nullptr, 0, kDrainMs);  // a signal cuts it short; those of a terminal the program gets, too
    }
}

/// /tmp/perf-PID.map: what a JIT compiler, or CPython's trampolines, call the code that they wrote.
void Profiling::add_perf_maps() {
    for (const auto& [process, known] : maps_) {
        const std::string text = text_of(fmt::format("/tmp/perf-{}.map", process));
        if (!text.empty()) builder_.naming(process).add_perf_map(text);
    }
}

std::vector<std::string> Profiling::warnings(const ProgramEnd& end) const {
    std::vector<std::string> texts;
    const std::optional<pmu::SamplingReport> report = ring_.left_report();
    if (!report)
        texts.emplace_back("the program ended before sampling began");
    else if (!report->failure.empty())
        texts.push_back("no samples were taken: " + report->failure);
    if (report && !report->python_problem.empty()) texts.push_back("no Python frames: " + report->python_problem);
    if (report && !report->sees_kernel && ring_.counts().unseen_ns > 0)
        texts.push_back(fmt::format("{:.3g} s ended in the kernel, where perf may not look, and are in no stack",
                                    static_cast<double>(ring_.counts().unseen_ns) * 1e-9));
    if (!compilers_.problem().empty()) texts.push_back("no names of compiled code: " + compilers_.problem());
    if (end.signal != 0) texts.push_back(fmt::format("the program was ended by signal {}", end.signal));
    return texts;
}

/// What to say where much of what the program spent is in no sample; empty where it is, or was not asked for.
std::string Profiling::unsampled(double sampled_ns, double spent_ns) const {
    const ProfileOptions& asked = options_.profile;
    if (asked.duration_s || asked.gil_only || asked.waiting || (asked.threads && asked.children)) return {};
    const std::optional<pmu::SamplingReport> report = ring_.left_report();
    if (!report || !report->failure.empty()) return {};  // that is why, and said
    const double few_samples_ns = kFewSamples * 1e9 / asked.rate_hz;
    if (spent_ns - sampled_ns < std::max({kLittleNs, few_samples_ns, kLittleRatio * spent_ns})) return {};
    const char* elsewhere = asked.children  ? "by other threads: --threads samples them, too"
                            : asked.threads ? "in children, or in what it executed: --subprocesses samples them, too"
                                            : "by other threads, in children, or in what it executed: --threads and "
                                              "--subprocesses sample them, too";
    return fmt::format("{:.3g} of {:.3g} s of CPU time are in no sample; they may have been spent {}",
                       1e-9 * (spent_ns - sampled_ns), 1e-9 * spent_ns, elsewhere);
}

core::Profile Profiling::finish(const ProgramEnd& end) {
    add_perf_maps();
    core::Profile profile = builder_.build();
    for (core::ProfileThread& thread : profile.threads) thread.name = threads_.of(thread.process, thread.thread);
    for (const std::string& argument : options_.profile.program)
        profile.program += (profile.program.empty() ? "" : " ") + argument;
    const pmu::SampleCounts counts = ring_.counts();
    const std::optional<pmu::SamplingReport> report = ring_.left_report();
    core::ProfileSampling& sampling = profile.sampling;
    if (report) {
        sampling.clock = report->clock;
        sampling.fallback_reason = report->fallback_reason;
    }
    sampling.python_frames = options_.profile.python_frames;
    sampling.asked_hz = options_.profile.rate_hz;
    sampling.taken = counts.taken;
    sampling.dropped = counts.dropped;
    sampling.late = counts.late;
    sampling.damaged = counts.damaged + counts.abandoned;
    sampling.handler_ns = static_cast<double>(counts.handler_ns + counts.delivery_ns);
    sampling.cpu_ns = static_cast<double>(ring_.cpu_ns_at_end().value_or(static_cast<std::int64_t>(end.cpu_ns)));
    sampling.wall_ns = static_cast<double>(ended_ns_ - started_ns_);
    if (options_.profile.duration_s) sampling.wall_ns = std::min(sampling.wall_ns, *options_.profile.duration_s * 1e9);
    const double sampled_ns = profile.total.ns;
    sampling.achieved_hz = sampled_ns > 0 ? static_cast<double>(profile.total.samples) / sampled_ns * 1e9 : 0;
    for (std::string& text : warnings(end)) profile.warnings.push_back(std::move(text));
    const double lost_ns = 1e9 * static_cast<double>(counts.dropped + sampling.damaged) / sampling.asked_hz;
    const double known_ns = sampled_ns + lost_ns + static_cast<double>(counts.unseen_ns);
    if (std::string text = unsampled(known_ns, end.cpu_ns); !text.empty()) profile.warnings.push_back(std::move(text));
    profile.interrupted = interrupted();
    return profile;
}

Expected<core::Profile> run_profile(const Options& options, int& program_status) {
    Expected<attribution::LayerTable> layers = read_layers(options.ledger.layers);
    if (!layers) return tl::unexpected<Error>(layers.error());
    const Expected<Installation> installation = find_installation();
    if (!installation) return tl::unexpected<Error>(installation.error());
    const Expected<measure::Subject> subject =
        measure::probe_subject(chosen_python(options), measure::default_cache_dir());
    if (!subject) return tl::unexpected<Error>(subject.error());
    const Expected<std::string> library = library_of(*subject, *installation);
    if (!library) return tl::unexpected<Error>(library.error());
    Expected<pmu::SampleRing> ring = pmu::SampleRing::create(pmu::kDefaultRingBytes, options.profile.python_frames);
    if (!ring) return tl::unexpected<Error>(ring.error());
    if (options.profile.duration_s) ring->set_duration(static_cast<std::int64_t>(*options.profile.duration_s * 1e9));
    Profiling profiling(options, *ring, *layers);
    hold_interrupts();  // what was sampled until the program has ended is kept
    if (interrupted()) return core::fail(ErrorCode::kInterrupted, "interrupted before the program began");
    Expected<ProfiledProgram> program = ProfiledProgram::start({.python = subject->python,
                                                                .arguments = options.profile.program,
                                                                .library = *library,
                                                                .ring_descriptor = ring->descriptor(),
                                                                .rate_hz = options.profile.rate_hz,
                                                                .wall = options.profile.waiting,
                                                                .threads = options.profile.threads,
                                                                .children = options.profile.children});
    if (!program) return tl::unexpected<Error>(program.error());
    const ProgramEnd end = profiling.follow(*program);
    program_status = end.status;
    return profiling.finish(end);
}

}  // namespace

ExitCode profile_command(const Options& options, const Streams& streams, int& program_status) {
    const auto failed = [&](const Error& error) {
        print_error(streams, error);
        return exit_code_of(error);
    };
    if (core::Status checked = check_profile_files(options); !checked) return failed(checked.error());
    std::optional<core::Profile> before;
    if (!options.profile.against.empty()) {
        Expected<core::Profile> read = profile_before(options.profile.against);
        if (!read) return failed(read.error());
        before = *std::move(read);
    }
    const Expected<core::Profile> profile = run_profile(options, program_status);
    if (!profile) return failed(profile.error());
    print_profile(options, streams, *profile, before ? &*before : nullptr);
    if (core::Status written = write_profile_files(options, *profile); !written) return failed(written.error());
    return ExitCode::kDone;
}

}  // namespace tare::cli
