// Two maps of a record, read as one.
#include "harness/record/packages.h"

#include <fmt/format.h>

#include <algorithm>

namespace tare::record {

using core::Map;
using core::Value;

namespace {

std::string library_name(const std::string& path) {
    for (const std::string_view folder : {"/site-packages/", "/dist-packages/"})
        if (const std::size_t at = path.rfind(folder); at != std::string::npos) return path.substr(at + folder.size());
    return path.substr(path.rfind('/') + 1);
}

std::string without_suffix(std::string text, std::string_view suffix) {
    if (text.ends_with(suffix)) text.resize(text.size() - suffix.size());
    return text;
}

/// Whether a version says why a library is another build. A library's owner is known by the folder that it lies in,
/// which many distributions do not share their name with: of others nothing is said where any package differs.
bool is_explained(const std::string& library, const Packages& loaded, const std::vector<std::string>& differing) {
    if (library.starts_with("libpython3")) return true;  // which the interpreter's version and build name
    const std::string owner = normalized_package(without_suffix(library.substr(0, library.find('/')), ".libs"));
    const bool is_of_a_package =
        library.find('/') != std::string::npos || library.find(".cpython-") != std::string::npos;
    if (!is_of_a_package) return false;
    return loaded.contains(owner) ? std::ranges::find(differing, owner) != differing.end() : !differing.empty();
}

}  // namespace

Packages packages_of(const Value& subject) {
    Packages packages;
    for (const auto& [name, version] : subject["packages"].as_map()) {
        const Value& build = subject["package_builds"][name];
        packages.emplace(name, Package{.version = version.as_text(),
                                       .commit = build["commit"].as_text(),
                                       .editable = build["editable"].as_bool()});
    }
    return packages;
}

std::string normalized_package(std::string_view name) {
    std::string normalized;
    for (const char c : name) {
        const bool separates = c == '-' || c == '_' || c == '.';
        if (separates && normalized.ends_with('-')) continue;
        normalized += separates ? '-' : c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    }
    return normalized;
}

std::string package_text(const Package& package) {
    constexpr std::size_t kCommitDigits = 12;
    std::string more = package.editable ? "editable" : "";
    if (!package.commit.empty()) more += (more.empty() ? "" : ", ") + package.commit.substr(0, kCommitDigits);
    return more.empty() ? package.version : fmt::format("{} ({})", package.version, more);
}

std::vector<std::string> differing_packages(const Packages& a, const Packages& b) {
    std::vector<std::string> names;
    if (a.empty() || b.empty()) return names;
    for (const auto& [name, package] : a)
        if (const auto other = b.find(name); other == b.end() || !(other->second == package)) names.push_back(name);
    for (const auto& [name, package] : b)
        if (!a.contains(name)) names.push_back(name);
    std::ranges::sort(names);
    return names;
}

std::string packages_text(const Packages& packages, const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names) {
        const auto package = packages.find(name);
        text += package == packages.end() ? fmt::format(", no {}", name)
                                          : fmt::format(", {} {}", name, package_text(package->second));
    }
    return text;
}

std::string packages_note(const Value& a, const Value& b) {
    const Packages before = packages_of(a), after = packages_of(b);
    if (before.empty() != after.empty())
        return fmt::format("the {} record names no package that was loaded", before.empty() ? "old" : "new");
    const auto text = [](const Packages& packages, const std::string& name) {
        const auto package = packages.find(name);
        return package == packages.end() ? "none" : package_text(package->second);
    };
    std::string note;
    for (const std::string& name : differing_packages(before, after))
        note += fmt::format("{}{} {} and {}", note.empty() ? "packages that differ: " : ", ", name, text(before, name),
                            text(after, name));
    return note;
}

std::string libraries_note(const Value& a, const Value& b) {
    constexpr std::size_t kNamed = 3;
    const Packages loaded = packages_of(a);
    const std::vector<std::string> differing = differing_packages(loaded, packages_of(b));
    std::vector<std::string> names;
    for (const auto& [name, build_id] : a["libraries"].as_map()) {
        const Value& other = b["libraries"][name];
        if (!other.is_nil() && other.as_text() != build_id.as_text() && !is_explained(name, loaded, differing))
            names.push_back(name);
    }
    if (names.empty()) return {};
    std::string note = "other builds: ";
    for (std::size_t i = 0; i < std::min(names.size(), kNamed); ++i) note += (i > 0 ? ", " : "") + names[i];
    return names.size() > kNamed ? note + fmt::format(" and {} more", names.size() - kNamed) : note;
}

void add_packages(Map& subject, const Value& told) {
    const auto add = [&](const char* key, const auto& name_of) {
        const auto known = subject.find(key);
        Map all = known == subject.end() ? Map{} : known->second.as_map();
        for (const auto& [name, value] : told[key].as_map()) all.insert_or_assign(name_of(name), value);
        if (!all.empty()) subject.insert_or_assign(key, std::move(all));
    };
    for (const char* key : {"packages", "package_builds"}) add(key, [](const std::string& name) { return name; });
    add("libraries", library_name);
}

}  // namespace tare::record
