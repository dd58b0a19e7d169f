// Numbers first, meanings at the end: one function for what several processes, addresses and lines share.
#include "harness/attribution/sampled_frames.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <tuple>
#include <utility>

#include "harness/attribution/blas_name.h"
#include "harness/attribution/elf_file.h"
#include "harness/core/thread_name.h"

namespace tare::attribution {

namespace {

constexpr std::string_view kEvalLoop = "_PyEval_EvalFrameDefault";
constexpr std::string_view kGreenlets = "_greenlet.";
constexpr std::string_view kNamelessPython = "[Python code that was not described]";

std::optional<core::BlasFamily> family_of(const core::ProfileFunction& function, const std::string& path) {
    if (!core::is_name(function.source) || !is_blas_module(path)) return std::nullopt;
    const BlasName its = parse_blas_name(function.name).value_or(BlasName{});
    return core::BlasFamily{.role = std::string(name_of(its.role)),
                            .precision = its.precision,
                            .routine = its.routine,
                            .transposition = its.transposition,
                            .core = its.core,
                            .small_matrix = its.small_matrix};
}

/// Functions and modules by what they are, whichever process and address they were met at.
class Meanings {
  public:
    explicit Meanings(FrameFacts& facts) : facts_(facts) {}

    std::uint32_t native(const Function& function, const NamedModule& named) {
        const std::uint32_t module = module_of(named);
        return function_of({core::FrameKind::kNative, std::to_string(module), function.name, 0}, [&] {
            core::ProfileFunction made;
            made.module = module;
            made.name = function.name;
            made.source = function.source;
            const bool is_in_file = !named.module.path.empty() && !function.is_part;
            made.address = is_in_file ? function.start - named.module.bias : 0;
            made.blas = family_of(made, named.module.path);
            return made;
        });
    }
    std::uint32_t python(const std::optional<core::PythonCode>& code) {
        if (!code) return group(core::FrameKind::kPython, std::string(kNamelessPython));
        return function_of({core::FrameKind::kPython, code->file, code->name, code->first_line}, [&] {
            core::ProfileFunction made;
            made.kind = core::FrameKind::kPython;
            made.name = code->name;
            made.file = code->file;
            made.first_line = code->first_line;
            return made;
        });
    }
    std::uint32_t group(core::FrameKind kind, const std::string& name) {
        return function_of({kind, "", name, 0}, [&] {
            core::ProfileFunction made;
            made.kind = kind;
            made.name = name;
            return made;
        });
    }

  private:
    using Key = std::tuple<core::FrameKind, std::string, std::string, int>;  ///< kind, place, name, line

    template <class Make>
    std::uint32_t function_of(Key key, const Make& make) {
        const auto [place, is_new] =
            functions_.try_emplace(std::move(key), static_cast<std::uint32_t>(facts_.functions.size()));
        if (is_new) facts_.functions.push_back(make());
        return place->second;
    }
    std::uint32_t module_of(const NamedModule& named) {
        const core::CodeModule& module = named.module;
        const auto [place, is_new] =
            modules_.try_emplace(module.path, static_cast<std::uint32_t>(facts_.modules.size()));
        if (is_new) {
            core::ProfileModule made;
            made.path = module.path;
            made.build_id = module.build_id;
            made.symbols = named.symbols;
            made.problem = module.path.empty() ? "" : named.problem;
            made.code_start = module.start - module.bias;
            made.code_end = module.end - module.bias;
            made.code_offset = offset_of(made);
            facts_.modules.push_back(std::move(made));
        }
        return place->second;
    }
    static std::uint64_t offset_of(const core::ProfileModule& module) {
        if (!module.path.starts_with('/') || !module.problem.empty()) return 0;
        const auto file = ElfFile::open(module.path);
        return file ? file->offset_of(module.code_start).value_or(0) : 0;
    }

    FrameFacts& facts_;
    std::map<Key, std::uint32_t> functions_;
    std::map<std::string, std::uint32_t> modules_;
};

}  // namespace

SampledFrames::SampledFrames(ReadCode read_code) : read_code_(std::move(read_code)) {}

SampledFrames::Process& SampledFrames::process(std::int32_t number) {
    std::unique_ptr<Process>& known = processes_[number];
    if (!known) known = std::make_unique<Process>();
    return *known;
}

void SampledFrames::set_modules(std::int32_t number, const std::vector<core::CodeModule>& modules) {
    Process& its = process(number);
    its.naming.add(modules, {});
    its.by_address.clear();  // another file may lie where one was
}

Naming& SampledFrames::naming(std::int32_t number) {
    return process(number).naming;
}

std::uint32_t SampledFrames::add(Frame frame) {
    frames_.push_back(std::move(frame));
    return static_cast<std::uint32_t>(frames_.size() - 1);
}

std::uint32_t SampledFrames::native(std::int32_t number, std::uint64_t address) {
    Process& its = process(number);
    const auto [known, is_new] = its.by_address.try_emplace(address);
    if (!is_new) return known->second;
    const Function& function = its.naming.function_at(address);
    const bool may_be_told =
        !core::is_name(function.source) && its.naming.modules()[function.module].module.path.empty();
    if (may_be_told) {
        known->second = add({.process = &its, .address = address});
    } else {
        const auto [same, is_first] = its.by_function.try_emplace(&function);
        if (is_first) same->second = add({.process = &its, .function = &function});
        known->second = same->second;
    }
    return known->second;
}

const SampledFrames::Code& SampledFrames::read(Code& code, std::uint32_t number) {
    if (!code.text && read_code_) code.text = read_code_(number);
    return code;
}

std::uint32_t SampledFrames::python(const core::PythonFrame& frame) {
    Code& code = codes_[frame.code];
    const auto [known, is_new] = code.by_offset.try_emplace(frame.offset);
    if (!is_new) return known->second;
    if (read(code, frame.code).text) {
        const int line = frame.offset < 0 ? code.text->first_line : code.text->line_at(frame.offset).value_or(0);
        const auto [same, is_first] = code.by_line.try_emplace(line);
        if (is_first) same->second = add({.kind = core::FrameKind::kPython, .code = frame.code, .line = line});
        known->second = same->second;
    } else {
        known->second = add({.kind = core::FrameKind::kPython, .code = frame.code, .offset = frame.offset});
    }
    return known->second;
}

std::uint32_t SampledFrames::kernel() {
    if (!kernel_) kernel_ = add({.kind = core::FrameKind::kKernel, .group = "[kernel]"});
    return *kernel_;
}

std::uint32_t SampledFrames::cut(std::size_t innermost) {
    if (!cut_)
        cut_ = add({.kind = core::FrameKind::kGroup,
                    .group = fmt::format("[Python frames beyond the innermost {}]", innermost)});
    return *cut_;
}

std::uint32_t SampledFrames::thread(std::int32_t number, std::int32_t thread) {
    const auto [known, is_new] = threads_.try_emplace({number, thread});
    if (is_new) known->second = add({.kind = core::FrameKind::kGroup, .group = core::thread_name(number, thread)});
    return known->second;
}

bool SampledFrames::is_eval_loop(std::uint32_t native) const {
    const Function* function = frames_[native].function;
    if (function == nullptr || !function->name.starts_with(kEvalLoop)) return false;
    return function->name.size() == kEvalLoop.size() || function->is_part;
}

bool SampledFrames::is_of_greenlets(std::uint32_t native) const {
    const Frame& frame = frames_[native];
    if (frame.function == nullptr) return false;
    const std::string& path = frame.process->naming.modules()[frame.function->module].module.path;
    return std::string_view(path).substr(path.rfind('/') + 1).starts_with(kGreenlets);
}

std::vector<std::uint64_t> SampledFrames::nameless(std::int32_t number) const {
    std::vector<std::uint64_t> starts;
    const auto found = processes_.find(number);
    if (found == processes_.end()) return starts;
    for (const auto& [function, frame] : found->second->by_function)
        if (!core::is_name(function->source)) starts.push_back(function->start);
    std::sort(starts.begin(), starts.end());
    return starts;
}

FrameFacts SampledFrames::facts() {
    FrameFacts facts;
    Meanings meanings(facts);
    for (const Frame& frame : frames_) {
        FrameFacts::Frame meaning{.line = frame.line};
        if (frame.kind == core::FrameKind::kNative) {
            const Function* function = frame.function;
            if (function == nullptr) function = &frame.process->naming.function_at(frame.address);
            meaning.function = meanings.native(*function, frame.process->naming.modules()[function->module]);
        } else if (frame.kind == core::FrameKind::kPython) {
            const Code& code = read(codes_[frame.code], frame.code);
            if (!code.text) ++facts.nameless_python;
            if (code.text && frame.offset >= 0) meaning.line = code.text->line_at(frame.offset).value_or(0);
            meaning.function = meanings.python(code.text);
        } else {
            meaning.function = meanings.group(frame.kind, frame.group);
        }
        facts.frames.push_back(meaning);
    }
    return facts;
}

}  // namespace tare::attribution
