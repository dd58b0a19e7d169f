// The cache file: format=, key=, one state= per watched file, then the fields.
#include "harness/measure/subject_cache.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>

namespace tare::measure {

namespace {

namespace fs = std::filesystem;

constexpr const char* kFormat = "1";  // raise whenever a field is added or changes its meaning

std::string escaped(std::string_view text) {
    std::string line;
    for (const char c : text) {
        if (c == '\\')
            line += "\\\\";
        else if (c == '\n')
            line += "\\n";
        else
            line += c;
    }
    return line;
}

std::string unescaped(std::string_view line) {
    std::string text;
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (line[i] == '\\' && i + 1 < line.size())
            text += line[++i] == 'n' ? '\n' : line[i];
        else
            text += line[i];
    }
    return text;
}

/// Time of modification (ns), size and inode of what the path leads to, then the path.
std::string state_of(const std::string& path) {
    struct stat s {};
    if (::stat(path.c_str(), &s) != 0) return "absent " + path;
    const std::int64_t modified_ns = std::int64_t{s.st_mtim.tv_sec} * 1'000'000'000 + s.st_mtim.tv_nsec;
    return fmt::format("{}:{}:{}:{} {}", modified_ns, s.st_size, s.st_dev, s.st_ino, path);
}

/// FNV-1a, 64 bits: a file name; the key itself is compared inside the file.
fs::path file_of(const fs::path& cache_dir, const std::string& key) {
    std::uint64_t hash = 0xcbf29ce484222325u;
    for (const char c : key) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
    return cache_dir / fmt::format("subject-{:016x}.txt", hash);
}

}  // namespace

Fields parse_fields(std::string_view text) {
    Fields fields;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        const std::size_t equals = line.find('=');
        if (equals == std::string_view::npos) continue;
        fields.emplace_back(line.substr(0, equals), unescaped(line.substr(equals + 1)));
    }
    return fields;
}

std::string format_fields(const Fields& fields) {
    std::string text;
    for (const auto& [key, value] : fields) text += key + '=' + escaped(value) + '\n';
    return text;
}

std::string field(const Fields& fields, std::string_view key) {
    for (const auto& [name, value] : fields)
        if (name == key) return value;
    return {};
}

std::vector<std::string> all_fields(const Fields& fields, std::string_view key) {
    std::vector<std::string> values;
    for (const auto& [name, value] : fields)
        if (name == key) values.push_back(value);
    return values;
}

std::string cache_key(const std::string& python) {
    std::vector<std::string> parts;
    bool relative = false;  // search paths may be relative to the working directory
    for (char** variable = environ; *variable != nullptr; ++variable) {
        const std::string_view text(*variable);
        if (text.starts_with("PYTHON") || text.starts_with("LD_") || text.starts_with("HOME=")) {
            parts.emplace_back(text);
            relative = relative || !text.starts_with("HOME=");
        }
    }
    std::sort(parts.begin(), parts.end());
    std::error_code ignored;
    if (relative) parts.push_back("cwd=" + fs::current_path(ignored).native());
    std::string key = python;
    for (const std::string& part : parts) key += '\n' + part;
    return key;
}

std::optional<Fields> remembered(const fs::path& cache_dir, const std::string& key) {
    if (cache_dir.empty()) return std::nullopt;
    std::ifstream file(file_of(cache_dir, key), std::ios::binary);
    const std::string text(std::istreambuf_iterator<char>(file), {});
    Fields fields = parse_fields(text);
    if (field(fields, "format") != kFormat || field(fields, "key") != key || field(fields, "end") != "1")
        return std::nullopt;
    for (const std::string& state : all_fields(fields, "state"))
        if (state_of(state.substr(state.find(' ') + 1)) != state) return std::nullopt;
    return fields;
}

core::Status remember(const fs::path& cache_dir, const std::string& key, const Fields& fields,
                      const std::vector<std::string>& watched) {
    const auto cannot = [&](const std::string& reason) {
        return core::fail(core::ErrorCode::kEnvironment,
                          fmt::format("cannot write to the cache folder '{}': {}", cache_dir.native(), reason),
                          "set XDG_CACHE_HOME to a folder that can be written");
    };
    Fields all{{"format", kFormat}, {"key", key}};
    for (const std::string& path : watched) all.emplace_back("state", state_of(path));
    all.insert(all.end(), fields.begin(), fields.end());
    std::error_code failure;
    fs::create_directories(cache_dir, failure);
    if (failure) return cannot(failure.message());
    const fs::path target = file_of(cache_dir, key);
    const fs::path temporary = target.native() + fmt::format(".{}.{}", ::getpid(), ::gettid());
    errno = 0;
    std::ofstream file(temporary, std::ios::binary);
    file << format_fields(all);
    file.close();
    if (!file) return cannot(std::strerror(errno));
    fs::rename(temporary, target, failure);
    if (failure) return cannot(failure.message());
    return {};
}

}  // namespace tare::measure
