// Addresses by name, stacks by the time of their sample.
#include "harness/attribution/samples_for_test.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

namespace tare::attribution {

namespace {

constexpr std::uint64_t kModuleBytes = 1 << 20;
constexpr int kFirstLine = 10;  // of every Python function here
constexpr std::uint64_t kFrameBytes = 0x100;
constexpr std::uint64_t kStack = 0x7ff000000000;

struct FakeModule {
    std::string_view name;
    std::string_view path;
};
constexpr std::array kModules{FakeModule{"python", "/nowhere/python3.11"},
                              FakeModule{"umath", "/nowhere/_multiarray_umath.so"},
                              FakeModule{"blas", "/nowhere/libopenblas.so.0"}, FakeModule{"libc", "/nowhere/libc.so.6"},
                              FakeModule{"greenlet", "/nowhere/_greenlet.cpython-310-x86_64-linux-gnu.so"}};

/// Each bytecode instruction stands on the line after that of the one before (CPython's Objects/locations.md: form 13,
/// one code unit, a line delta).
std::string line_table() {
    std::string table;
    for (int i = 0; i < 100; ++i) {
        table += static_cast<char>(0x80 | 13 << 3);
        table += static_cast<char>(i == 0 ? 0 : 1 << 1);
    }
    return table;
}

class FakeUnwinder final : public StackUnwinder {
  public:
    explicit FakeUnwinder(std::shared_ptr<const std::map<std::uint64_t, NativeStack>> stacks)
        : stacks_(std::move(stacks)) {}
    void set_modules(const std::vector<core::CodeModule>& /*modules*/) override {}
    NativeStack unwind(const core::StackSample& sample) override {
        const auto found = stacks_->find(sample.time_ns);
        return found == stacks_->end() ? NativeStack{} : found->second;
    }

  private:
    std::shared_ptr<const std::map<std::uint64_t, NativeStack>> stacks_;
};

}  // namespace

std::uint64_t SamplesForTest::address_of(const std::string& frame) {
    const auto known = addresses_.find(frame);
    if (known != addresses_.end()) return known->second;
    const std::string module = frame.substr(0, frame.find(':'));
    const auto place = std::ranges::find(kModules, module, &FakeModule::name);
    const auto index = static_cast<std::uint64_t>(place - kModules.begin());  // past the last: in no file
    const std::uint64_t address = kModuleBytes * (index + 1) + 0x10 * (addresses_.size() + 1);
    addresses_.emplace(frame, address);
    return address;
}

std::vector<core::CodeModule> SamplesForTest::modules() const {
    std::vector<core::CodeModule> modules;
    for (std::uint64_t i = 0; i < kModules.size(); ++i)
        modules.push_back({std::string(kModules[i].path), "ab", 0, kModuleBytes * (i + 1), kModuleBytes * (i + 2)});
    return modules;
}

std::vector<core::PythonName> SamplesForTest::names() const {
    std::vector<core::PythonName> names;
    for (const auto& [frame, address] : addresses_) {
        const std::string name = frame.substr(frame.find(':') + 1);
        if (!name.starts_with('?')) names.push_back({address, name});
    }
    return names;
}

ProfileBuilder SamplesForTest::empty_builder(const LayerTable& layers, ProfileChoice choice) const {
    const auto read_code = [codes = codes_](std::uint32_t number) -> std::optional<core::PythonCode> {
        if (number >= codes->size()) return std::nullopt;
        return core::PythonCode{"/src/script.py", (*codes)[number], kFirstLine, line_table()};
    };
    return {layers, choice, read_code, [stacks = stacks_] { return std::make_unique<FakeUnwinder>(stacks); }};
}

ProfileBuilder SamplesForTest::builder(const LayerTable& layers, ProfileChoice choice) const {
    ProfileBuilder builder = empty_builder(layers, choice);
    builder.set_modules(kProcess, modules());
    builder.naming(kProcess).add({}, names());
    return builder;
}

core::PythonFrame SamplesForTest::python_frame(const std::string& frame) {
    const std::size_t colon = frame.rfind(':');
    const std::string name = frame.substr(3, colon - 3);
    const auto known = std::ranges::find(*codes_, name);
    const auto number = static_cast<std::uint32_t>(known - codes_->begin());
    if (known == codes_->end()) codes_->push_back(name);
    const int line = std::atoi(frame.c_str() + colon + 1);
    return {.address = 0, .code = number, .offset = 2 * (line - kFirstLine), .is_entry = false};
}

core::StackSample SamplesForTest::sample(const std::vector<std::string>& frames) {
    core::StackSample sample;
    sample.process = sample.thread = kProcess;
    sample.time_ns = ++next_time_;
    sample.weight_ns = kMillisecond;
    NativeStack& stack = (*stacks_)[sample.time_ns];
    stack.quality = StackQuality::kComplete;
    bool is_boundary_due = false;  // the next frame outwards is native, so this Python frame was entered from C
    for (std::size_t i = frames.size(); i-- > 0;) {  // innermost first
        if (frames[i].starts_with("py:")) {
            is_boundary_due = i == 0 || !frames[i - 1].starts_with("py:");
            sample.python.push_back(python_frame(frames[i]));
            sample.python.back().is_entry = is_boundary_due;
            if (is_boundary_due && !stack.frames.empty())
                sample.python.back().address = stack.frames.back().stack_pointer + 8;
        } else {
            stack.frames.push_back({address_of(frames[i]), kStack + kFrameBytes * stack.frames.size(), false});
        }
    }
    sample.chain = sample.python.empty() ? core::PythonChain::kNone : core::PythonChain::kWhole;
    return sample;
}

const core::ProfileFunction& function_named(const core::Profile& profile, const std::string& name) {
    static const core::ProfileFunction kNone;
    const auto found = std::ranges::find(profile.functions, name, &core::ProfileFunction::name);
    if (found == profile.functions.end()) std::abort();
    return found == profile.functions.end() ? kNone : *found;
}

std::uint64_t samples_in(const core::Profile& profile, const std::string& layer) {
    const auto found = std::ranges::find(profile.layers, layer, &core::ProfileLayer::name);
    return found == profile.layers.end() ? 0 : found->self.samples;
}

core::Profile small_profile(ProfileChoice choice) {
    SamplesForTest made;
    std::vector<core::StackSample> samples;
    const auto times = [&](int count, const std::vector<std::string>& frames) {
        for (int i = 0; i < count; ++i) samples.push_back(made.sample(frames));
    };
    const std::string eval = "python:_PyEval_EvalFrameDefault";
    times(40, {"python:main", "py:<module>:20", "py:work:12", eval, "umath:array_matmul", "blas:cblas_dgemm",
               "blas:dgemm_kernel_HASWELL"});
    times(10, {"python:main", "py:<module>:20", "py:work:12", eval, "umath:array_matmul", "blas:cblas_dgemm",
               "libc:memcpy"});
    times(20, {"python:main", "py:<module>:20", "py:work:13", eval, "umath:DOUBLE_add"});
    times(12, {"python:main", "py:<module>:20", "py:work:14", "py:helper:30", eval});
    times(5, {"python:main", "py:<module>:20", "py:work:14", eval, "umath:?1"});
    times(5, {"jit:?2"});
    times(8, {"python:main", "py:<module>:21", eval, "libc:write"});
    for (std::size_t i = samples.size() - 8; i < samples.size(); ++i) samples[i].in_kernel = true;
    for (core::StackSample& sample : samples) sample.holds_gil = !sample.in_kernel;
    const LayerTable layers = layers_for_test();
    ProfileBuilder builder = made.builder(layers, choice);
    for (const core::StackSample& sample : samples) builder.add(sample);
    core::Profile profile = builder.build();
    profile.program = "script.py 3";
    profile.sampling = {.clock = core::SampleClock::kCpuClock,
                        .event = {},
                        .fallback_reason = {},
                        .asked_hz = 1000,
                        .achieved_hz = 998,
                        .taken = 101,
                        .dropped = 1,
                        .handler_ns = 1.3e6,
                        .cpu_ns = 1e8,
                        .wall_ns = 1.2e8};
    return profile;
}

core::Profile hostile_profile() {
    core::Profile profile = small_profile();
    const std::vector<std::string> names{"<script>alert(1)</script>",
                                         "]]><![CDATA[",
                                         "a;b\nc \"q\" & 'r'",
                                         std::string("nul\0 \x1b \x7f", 9),
                                         "bytes \xff\xfe \xed\xa0\x80 \xe2\x82",
                                         "\xef\xbf\xbe \xf0\x9f\x90\x8d",
                                         ""};
    for (std::size_t i = 0; i < profile.functions.size(); ++i) {
        profile.functions[i].name = names[i % names.size()];
        profile.functions[i].file = names[(i + 3) % names.size()];
    }
    for (std::size_t i = 0; i < profile.layers.size(); ++i) profile.layers[i].name += names[i % names.size()];
    for (core::ProfileModule& module : profile.modules)
        if (!module.path.empty()) module.path = "/x/" + names[0] + module.path;
    profile.program = names[0] + names[2];
    return profile;
}

}  // namespace tare::attribution
