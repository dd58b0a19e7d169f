// Endings, hashes and folders by the conventions of wheels, Debian and virtual environments.
#include "harness/attribution/names_across_builds.h"

#include <fmt/format.h>

#include <algorithm>

#include "harness/attribution/blas_name.h"
#include "harness/attribution/weighted_tree.h"

namespace tare::attribution {

namespace {

constexpr std::string_view kSharedObject = ".so";

/// Digits and dots; nothing is one, too.
bool is_version(std::string_view text) {
    return text.find_first_not_of("0123456789.") == std::string_view::npos;
}

bool is_hash(std::string_view text) {
    return text.size() >= 8 && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

std::string_view without_hash_endings(std::string_view stem) {
    for (std::size_t dash = stem.rfind('-'); dash != std::string_view::npos && dash > 0; dash = stem.rfind('-')) {
        if (!is_hash(stem.substr(dash + 1))) break;
        stem = stem.substr(0, dash);
    }
    return stem;
}

/// `libgfortran-040039e1.so.5.0.0` -> `libgfortran.so.5.0.0`
std::string without_hashes(const std::string& file) {
    const std::size_t ending = std::min(file.find(kSharedObject), file.size());
    return std::string(without_hash_endings(std::string_view(file).substr(0, ending))) + file.substr(ending);
}

}  // namespace

std::string module_across_builds(std::string_view file_name) {
    if (is_blas_module(file_name)) return "BLAS";
    if (file_name.starts_with("libpython3") || file_name.starts_with("python3")) return "python";
    // name.cpython-311-x86_64-linux-gnu.so, name.abi3.so
    for (const std::string_view tag : {".cpython-", ".abi3."})
        if (const std::size_t at = file_name.find(tag); at != std::string_view::npos && file_name.ends_with(".so"))
            return fmt::format("{}.so", file_name.substr(0, at));
    const std::size_t ending = file_name.find(".so");
    if (ending == std::string_view::npos || !is_version(file_name.substr(ending + kSharedObject.size())))
        return std::string(file_name);
    std::string_view stem = file_name.substr(0, ending);
    // auditwheel, once or twice: name-HASH.so.version; others name-version.so
    stem = without_hash_endings(stem);
    if (const std::size_t dash = stem.rfind('-'); dash != std::string_view::npos && dash > 0)
        if (const std::string_view last = stem.substr(dash + 1);
            last.find('.') != std::string_view::npos && is_version(last))
            stem = stem.substr(0, dash);
    return fmt::format("{}{}", stem, kSharedObject);
}

std::string source_in_environment(std::string_view path) {
    for (const std::string_view folder : {"/site-packages/", "/dist-packages/"})
        if (const std::size_t at = path.rfind(folder); at != std::string_view::npos)
            return std::string(path.substr(at + folder.size()));
    constexpr std::string_view kLibrary = "/python3.";  // below lib, lib64
    const std::size_t at = path.rfind(kLibrary);
    const std::size_t end = at == std::string_view::npos ? at : path.find('/', at + kLibrary.size());
    return end == std::string_view::npos ? std::string() : std::string(path.substr(end + 1));
}

std::string source_across_environments(std::string_view path, const std::set<std::string>& of_the_other) {
    if (std::string source = source_in_environment(path); !source.empty()) return source;
    std::string longest;  // core/random.py before random.py
    for (const std::string& source : of_the_other)
        if (source.size() > longest.size() && path.ends_with('/' + source)) longest = source;
    return longest.empty() ? module_name(path) : longest;
}

std::set<std::string> sources_in_environments(const std::vector<std::string>& paths) {
    std::set<std::string> sources;
    for (const std::string& path : paths)
        if (std::string source = source_in_environment(path); !source.empty()) sources.insert(std::move(source));
    return sources;
}

ModuleNames::ModuleNames(const std::vector<std::string>& before, const std::vector<std::string>& after) {
    add(before, after);
    add(after, before);
    ambiguous_.erase("BLAS");
    ambiguous_.erase("python");
}

std::string ModuleNames::of(const std::string& path) const {
    std::string name = module_across_builds(module_name(path));
    if (!ambiguous_.contains(name)) return name;
    const std::string& owned = owned_.at(path);
    return ambiguous_owned_.contains(owned) ? without_hashes(module_name(path)) : owned;
}

void ModuleNames::add(const std::vector<std::string>& paths, const std::vector<std::string>& of_the_other) {
    const std::set<std::string> others = sources_in_environments(of_the_other);
    std::map<std::string, std::string> names, owned_names;  // the path that first had each
    for (const std::string& path : paths) {
        const std::string source = source_across_environments(path, others);
        const std::size_t folder = source.rfind('/') + 1;
        const std::string name = module_across_builds(module_name(path));
        const std::string& owned = owned_.emplace(path, source.substr(0, folder) + name).first->second;
        if (names.try_emplace(name, path).first->second != path) ambiguous_.insert(name);
        if (owned_names.try_emplace(owned, path).first->second != path) ambiguous_owned_.insert(owned);
    }
}

}  // namespace tare::attribution
