// One MessagePack file per key: {"key", "described", "watched": [[path, changed_ns, size_bytes], ...]}.
#include "harness/cli/catalogue_cache.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <functional>
#include <iterator>

#include "harness/core/codec.h"

namespace tare::cli {

using core::List;
using core::Map;
using core::Value;

namespace {

std::filesystem::path file_of(const std::filesystem::path& cache_dir, const std::string& key) {
    return cache_dir / fmt::format("catalogue-{:016x}.msgpack", std::hash<std::string>{}(key));
}

/// Two stamps this near to each other may be equal although the contents differ: FAT counts in 2 s.
constexpr std::int64_t kCoarsestStampNs = 2'000'000'000;

/// [path, changed_ns, size_bytes]; nil members for what does not exist. The time of change, not of modification: no
/// program can set it, and a file that is moved here has a new one.
Value state_of(const std::string& path) {
    struct stat status {};
    if (stat(path.c_str(), &status) != 0) return List{path, Value(), Value()};
    return List{path, static_cast<std::int64_t>(status.st_ctim.tv_sec) * 1'000'000'000 + status.st_ctim.tv_nsec,
                status.st_size};
}

}  // namespace

std::optional<Value> cached_catalogue(const std::filesystem::path& cache_dir, const std::string& key) {
    std::ifstream file(file_of(cache_dir, key), std::ios::binary);
    if (!file) return std::nullopt;
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    core::Expected<Value> stored = core::decode(bytes);
    if (!stored || (*stored)["key"].as_text() != key) return std::nullopt;
    const List& watched = (*stored)["watched"].as_list();
    if (watched.empty()) return std::nullopt;
    for (const Value& entry : watched)
        if (entry.as_list().empty() || state_of(entry.as_list()[0].as_text()) != entry) return std::nullopt;
    return (*stored)["described"];
}

void cache_catalogue(const std::filesystem::path& cache_dir, const std::string& key, const Value& described,
                     const List& folders, double asked_unix_s) {
    List watched;
    for (const Value& file : described["files"].as_list()) watched.push_back(state_of(file["path"].as_text()));
    for (const Value& folder : folders) watched.push_back(state_of(folder.as_text()));
    const std::int64_t settled_ns = static_cast<std::int64_t>(asked_unix_s * 1e9) - kCoarsestStampNs;
    for (const Value& state : watched)
        if (state.as_list()[1].as_int() > settled_ns) return;
    std::error_code ignored;
    std::filesystem::create_directories(cache_dir, ignored);
    const std::filesystem::path path = file_of(cache_dir, key);
    const std::filesystem::path temporary = path.string() + fmt::format(".{}", ::getpid());
    {
        std::ofstream file(temporary, std::ios::binary);
        file << core::encode(Map{{"key", key}, {"described", described}, {"watched", std::move(watched)}});
        if (!file.flush()) {
            std::filesystem::remove(temporary, ignored);
            return;
        }
    }
    std::filesystem::rename(temporary, path, ignored);
}

core::Catalogue catalogue_of(const Value& described) {
    core::Catalogue catalogue;
    for (const Value& problem : described["problems"].as_list())
        catalogue.problems.push_back({problem["file"].as_text(), problem["error"].as_text()});
    for (const Value& entry : described["cases"].as_list()) {
        core::Case made;
        made.operation = entry["operation"].as_text();
        made.statement = entry["statement"].as_text();
        for (const Value& pair : entry["parameters"].as_list())
            if (const List& fields = pair.as_list(); fields.size() == 2)
                made.parameters.emplace_back(fields[0].as_text(), fields[1].as_text());
        for (const core::RungKind kind : core::kAllRungs)
            for (const Value& name : entry["rungs"].as_list())
                if (name.as_text() == core::name_of(kind)) made.rungs.push_back(kind);
        if (!made.operation.empty()) catalogue.cases.push_back(std::move(made));
    }
    return catalogue;
}

}  // namespace tare::cli
