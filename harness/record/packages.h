// Packages: the distributions whose code a measured process had loaded, as the facts of a subject name them. Pure.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "harness/core/value.h"

namespace tare::record {

struct Package {
    std::string version;
    std::string commit;  ///< that it was installed or, editable, is imported from; empty: unknown
    bool editable = false;
    bool operator==(const Package&) const = default;
};

/// By normalised name; empty where the record does not say. `subject`: a run's context or a side of a duet.
using Packages = std::map<std::string, Package, std::less<>>;
[[nodiscard]] Packages packages_of(const core::Value& subject);

/// As indexes of packages compare names: "Ruamel.YAML" is "ruamel-yaml".
[[nodiscard]] std::string normalized_package(std::string_view name);

/// "2.0.2"; "2.1.0.dev0 (editable, 1a2b3c4d5e6f)".
[[nodiscard]] std::string package_text(const Package& package);

/// What is loaded in other versions, or on one side only, by name. Empty where one does not say what it had loaded.
[[nodiscard]] std::vector<std::string> differing_packages(const Packages& a, const Packages& b);

/// ", shapely 2.0.1, no pandas": what `names` are among `packages`, as a heading goes on.
[[nodiscard]] std::string packages_text(const Packages& packages, const std::vector<std::string>& names);

/// "packages that differ: shapely 2.0.1 and 2.0.2", or which of "old" and "new" names none; empty where none differs.
[[nodiscard]] std::string packages_note(const core::Value& a, const core::Value& b);

/// "other builds: libc.so.6, numpy.libs/libopenblas.so.0 and 3 more": native libraries that both have under one name,
/// but with another build-id, without those of packages that differ; empty where there is none.
[[nodiscard]] std::string libraries_note(const core::Value& a, const core::Value& b);

/// Adds to a subject's facts what a worker that has measured says it loaded: {"packages": {name: version},
/// "package_builds": {name: {"commit", "editable"}}, "libraries": {path: build-id}}; libraries get the name that they
/// have below an environment's folder of packages, or else of the file.
void add_packages(core::Map& subject, const core::Value& told);

}  // namespace tare::record
