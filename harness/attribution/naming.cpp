// Joins the sources: an address's module, what its file says, Python's names, code compiled at run time. Functions are
// made once each and never moved; a name that becomes known later is filled in.
#include "harness/attribution/naming.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "harness/attribution/code_file.h"
#include "harness/attribution/jit_code.h"

namespace tare::attribution {

namespace {

constexpr std::string_view kCompiled = "[compiled]";  // stands for the file of code that has none

/// "[vdso]" and the like: the kernel's names for memory without a file.
bool has_file(const core::CodeModule& module) {
    return module.path.starts_with('/');
}

std::string_view file_name(std::string_view path) {
    const std::size_t slash = path.rfind('/');
    if (path.empty()) return kCompiled;
    return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

/// gcc moves unlikely code to `foo.cold`, which is jumped to. `foo.part.0` is called: a function of its own.
bool is_split_off(std::string_view symbol) {
    constexpr std::string_view kEnding = ".cold";
    const std::size_t at = symbol.rfind(kEnding);
    if (at == std::string_view::npos) return false;
    const std::string_view after = symbol.substr(at + kEnding.size());
    return after.empty() || (after.size() > 1 && after.front() == '.' &&
                             after.find_first_not_of("0123456789", 1) == std::string_view::npos);
}

CodeFile open(const core::CodeModule& module) {
    return {module.path, module.build_id, module.start - module.bias, module.end - module.bias};
}

}  // namespace

struct Naming::State {
    struct Range {
        std::uint64_t end = 0;
        std::size_t module = 0;
    };

    std::vector<NamedModule> modules;
    std::vector<std::optional<CodeFile>> files;  // beside modules; no value: not opened yet, or no file
    std::map<std::uint64_t, Range> ranges;       // of files, by start
    std::optional<std::size_t> compiled;         // the module of code without a file
    std::unordered_map<std::uint64_t, std::string> python_names;
    JitCode jit;

    std::deque<Function> functions;  // never moved
    std::map<std::pair<std::size_t, std::uint64_t>, Function*> by_start;
    std::unordered_map<std::uint64_t, const Function*> by_address;

    void add(const core::CodeModule& module);
    void add(const core::PythonName& name);
    void use_python_name(Function& function) const;
    void use_jit();
    CodeFile* file_of(std::size_t module);
    std::size_t compiled_module();
    const Function& function_at(std::uint64_t address);
    Function in_file(std::size_t module, std::uint64_t address);
    Function compiled_at(std::uint64_t address);
};

void Naming::State::add(const core::CodeModule& module) {
    if (module.path.empty()) {
        compiled_module();
        return;
    }
    // One file has one entry, however many executable ranges it has.
    const auto known = std::find_if(modules.begin(), modules.end(), [&](const NamedModule& m) {
        return m.module.path == module.path && m.module.build_id == module.build_id && m.module.bias == module.bias;
    });
    const auto index = static_cast<std::size_t>(known - modules.begin());
    if (known == modules.end()) {
        modules.push_back({module, core::NameSource::kNone, has_file(module) ? "" : "no file"});
        files.emplace_back();
    }
    if (module.start >= module.end) return;
    // A file loaded later where another one was: what was known of those addresses is of the past.
    auto first = ranges.lower_bound(module.start);
    if (first != ranges.begin() && std::prev(first)->second.end > module.start) --first;
    const auto past = ranges.lower_bound(module.end);
    const bool is_same = first != past && std::next(first) == past && first->first == module.start &&
                         first->second.end == module.end && first->second.module == index;
    if (is_same) return;
    ranges.erase(first, past);
    ranges[module.start] = Range{module.end, index};
    by_address.clear();
}

void Naming::State::add(const core::PythonName& name) {
    if (name.name.empty() || !python_names.emplace(name.address, name.name).second) return;
    const auto known = by_address.find(name.address);
    if (known != by_address.end() && known->second->start == name.address)
        use_python_name(*by_start.at({known->second->module, name.address}));
}

/// Python's tables rank after the file's own names and before those of code compiled at run time.
void Naming::State::use_python_name(Function& function) const {
    const auto found = python_names.find(function.start);
    if (found == python_names.end() || found->second == function.name) return;
    if (function.source < core::NameSource::kPython) {
        function.alias = found->second;
    } else {
        function.name = found->second;
        function.source = core::NameSource::kPython;
    }
}

void Naming::State::use_jit() {
    by_address.clear();  // what had no name may have one now
    if (!jit.empty()) modules[compiled_module()].symbols = core::NameSource::kJit;
}

CodeFile* Naming::State::file_of(std::size_t index) {
    NamedModule& named = modules[index];
    if (!has_file(named.module)) return nullptr;
    if (!files[index]) {
        files[index].emplace(open(named.module));
        named.problem = files[index]->problem();
    }
    return &*files[index];
}

std::size_t Naming::State::compiled_module() {
    if (!compiled) {
        compiled = modules.size();
        modules.emplace_back();
        files.emplace_back();
    }
    return *compiled;
}

const Function& Naming::State::function_at(std::uint64_t address) {
    const auto cached = by_address.find(address);
    if (cached != by_address.end()) return *cached->second;

    const auto after = ranges.upper_bound(address);
    const bool is_in_file = after != ranges.begin() && address < std::prev(after)->second.end;
    Function found = is_in_file ? in_file(std::prev(after)->second.module, address) : compiled_at(address);
    use_python_name(found);

    Function*& known = by_start[{found.module, found.start}];
    if (known == nullptr || (core::is_name(known->source) && known->name != found.name)) {
        known = &functions.emplace_back(std::move(found));  // new, or compiled where another one was
    } else {
        *known = std::move(found);  // the same; perhaps by now with a name
    }
    by_address.emplace(address, known);
    return *known;
}

Function Naming::State::in_file(std::size_t index, std::uint64_t address) {
    const std::uint64_t bias = modules[index].module.bias;
    CodeFile* file = file_of(index);
    const std::optional<CodePlace> place = file == nullptr ? std::nullopt : file->find(address - bias);
    if (file != nullptr) modules[index].symbols = file->best_source();

    Function function{index, address, address, {}, {}, core::NameSource::kNone, false};
    if (place) {
        function.start = place->start + bias;
        function.end = place->end + bias;
        function.source = place->source;
    }
    if (place && !place->symbol.empty()) {
        function.name = normalized_name(place->symbol);
        function.is_part = is_split_off(place->symbol);
    } else {
        function.name = fmt::format("{}+0x{:x}", file_name(modules[index].module.path), function.start - bias);
    }
    return function;
}

Function Naming::State::compiled_at(std::uint64_t address) {
    const std::size_t index = compiled_module();
    const auto place = jit.find(address);
    if (place == jit.end())
        return {index, address, address, fmt::format("{}+0x{:x}", kCompiled, address), {}, core::NameSource::kNone,
                false};
    return {index, place->first, place->second.end, place->second.name, {}, core::NameSource::kJit, false};
}

Naming::Naming(const std::vector<core::CodeModule>& modules, const std::vector<core::PythonName>& python_names)
    : state_(std::make_unique<State>()) {
    add(modules, python_names);
}
Naming::~Naming() = default;
Naming::Naming(Naming&&) noexcept = default;
Naming& Naming::operator=(Naming&&) noexcept = default;

void Naming::add(const std::vector<core::CodeModule>& modules, const std::vector<core::PythonName>& python_names) {
    for (const core::CodeModule& module : modules) state_->add(module);
    for (const core::PythonName& name : python_names) state_->add(name);
}

std::size_t Naming::add_perf_map(std::string_view text) {
    const std::size_t bad = state_->jit.add_perf_map(text);
    state_->use_jit();
    return bad;
}

core::Status Naming::add_jit_object(std::string_view bytes) {
    core::Status added = state_->jit.add_object(bytes);
    state_->use_jit();
    return added;
}

const Function& Naming::function_at(std::uint64_t address) {
    return state_->function_at(address);
}

const std::vector<NamedModule>& Naming::modules() const {
    return state_->modules;
}

std::optional<std::uint64_t> Naming::address_of(std::string_view symbol) {
    for (std::size_t i = 0; i < state_->modules.size(); ++i) {
        const core::CodeModule& module = state_->modules[i].module;
        if (!has_file(module)) continue;
        // Files that no function was asked of are closed again: a process may have hundreds.
        const auto address = state_->files[i] ? state_->files[i]->address_of(symbol) : open(module).address_of(symbol);
        if (address) return *address + module.bias;
    }
    return std::nullopt;
}

}  // namespace tare::attribution
