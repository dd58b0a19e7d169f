// Facts of the context, of a duet's sides and of the settings, as words.
#include "harness/history/record_surroundings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <set>
#include <sstream>
#include <tuple>
#include <vector>

#include "harness/core/stable_hash.h"
#include "harness/record/json.h"
#include "harness/record/packages.h"
#include "harness/record/stored_differences.h"

namespace tare::history {

namespace {

using core::Value;

std::string first_word(const std::string& text) {
    return text.substr(0, text.find(' '));
}

const Value& numpy_version_of(const Value& subject) {
    const Value& imported = subject["numpy"]["version"];
    return imported.is_text() ? imported : subject["subject"]["numpy_version"];
}

/// "CPython 3.13.1t": a free-threaded build is another interpreter.
std::string interpreter_of(const Value& subject) {
    std::string version = subject["subject"]["version"].as_text();
    if (version.empty()) version = first_word(subject["python"]["version"].as_text());
    if (version.empty()) return {};
    const std::string& abi = subject["subject"]["abi"].as_text();
    const std::string& implementation = subject["python"]["implementation"].as_text();
    const std::size_t tag = abi.find('-') + 1;  // "cpython-313t-x86_64-linux-gnu"
    const bool free_threaded = abi.substr(tag, abi.find('-', tag) - tag).ends_with('t');
    return fmt::format("{} {}{}", implementation.empty() || implementation == "cpython" ? "CPython" : implementation,
                       version, free_threaded ? "t" : "");
}

/// Which build of the interpreter: the beginnings of its build-ids; empty where it has none.
std::string build_of(const Value& subject) {
    constexpr std::size_t kBuildIdDigits = 8;
    std::string text;
    for (const char* key : {"executable_build_id", "libpython_build_id"})
        if (const std::string& id = subject["subject"][key].as_text(); !id.empty())
            text += (text.empty() ? "" : "+") + id.substr(0, kBuildIdDigits);
    return text;
}

std::string variables_of(const Value& subject) {
    std::string text;
    for (const auto& [name, value] : subject["environment"].as_map())
        text += fmt::format(", {}={}", name, value.as_text());
    return text;
}

/// What another tool measured: equal names of benchmarks in two projects or programs are two benchmarks.
std::string imported_subject_of(const Value& context) {
    if (const std::string& project = context["project"].as_text(); !project.empty()) return "project " + project;
    if (context["imported_from"]["tool"].as_text() != "Google Benchmark") return {};  // pyperf names the interpreter
    const std::string& program = context["executable"].as_text();
    const std::size_t folder = program.find_last_of("/\\");
    return folder == std::string::npos ? program : program.substr(folder + 1);
}

/// Interpreter and its build, host, threads and what else is held while versions go by.
std::string environment_of(const Value& subject, const Value& settings) {
    std::string text;
    const auto add = [&](const std::string& fact) { text += (text.empty() || fact.empty() ? "" : ", ") + fact; };
    if (!subject["imported_from"].is_nil()) add(imported_subject_of(subject));
    add(interpreter_of(subject));
    if (const std::string& host = subject["host"].as_text(); !host.empty()) add(host);
    if (const std::int64_t threads = settings["threads"].as_int(0); threads > 0)
        add(fmt::format("{} thread{}", threads, threads == 1 ? "" : "s"));
    if (const std::string build = build_of(subject); !build.empty()) add("build " + build);
    if (const std::string& about = subject["package"].as_text(); !about.empty() && about != "numpy")
        add("about " + about);
    if (const std::int64_t unroll = settings["unroll"].as_int(0); unroll > 0) add(fmt::format("unroll {}", unroll));
    for (const char* key : {"setup", "setup_each"})  // of -e
        if (const std::string& code = settings[key].as_text(); !code.empty()) add(fmt::format("{} {}", key, code));
    if (const std::string& name = subject["imported_from"]["environment"].as_text(); !name.empty()) add(name);
    return text + variables_of(subject);
}

/// The version alone where both sides were measured in one environment; behind a comma, how side a's was another.
std::string reference_of(const Value& a, const Value& b, const Value& settings) {
    const std::string& about = b["package"].as_text();
    std::string text = (about.empty() ? "numpy" : about) + " " + version_of_subject(a, about).first;
    if (about.empty()) {  // it may be about any of what differs
        const record::Packages loaded = record::packages_of(a);
        for (const std::string& name : record::differing_packages(loaded, record::packages_of(b)))
            if (const auto found = loaded.find(name); found != loaded.end() && name != "numpy")
                text += fmt::format("; {} {}", name, found->second.version);
    }
    if (interpreter_of(a) != interpreter_of(b)) text += ", " + interpreter_of(a);
    if (const std::string build = build_of(a); build != build_of(b))
        text += build.empty() ? ", unknown build" : ", build " + build;
    if (!(a["host"] == b["host"])) text += ", " + a["host"].as_text();
    if (!(a["environment"] == b["environment"])) {
        const std::string variables = variables_of(a);
        text += variables.empty() ? ", no variables" : variables;
    }
    if (const double injected = settings["injected_ratio"].as_double(0); injected != 0)
        text += fmt::format(", {:g} % injected into {}", 100 * injected,
                            settings["injected_side"].as_text() == "a" ? "a" : "b");
    return text;
}

std::string machine_text_of(const Value& context) {
    std::string text = context["cpu_model"].as_text();
    if (text.empty()) text = "unknown CPU";
    if (const std::int64_t cpus = context["num_cpus"].as_int(0); cpus > 0)
        text += fmt::format(", {} CPU{}", cpus, cpus == 1 ? "" : "s");
    std::set<std::string> governors;
    for (const Value& each : context["governors"].as_list()) governors.insert(each.as_text());
    if (!governors.empty()) text += fmt::format(", governor {}", fmt::join(governors, "/"));
    if (context["turbo"] == Value(false)) text += ", no turbo";
    if (const std::string& host = context["host_name"].as_text(); !host.empty()) text += ", host " + host;
    return text;
}

/// A line each, which names and versions do not break.
std::string packages_text_of(const record::Packages& packages) {
    std::string text;
    const auto word = [](std::string part) {
        std::ranges::replace_if(
            part, [](unsigned char c) { return c <= ' '; }, '_');
        return part;
    };
    for (const auto& [name, package] : packages)
        text += fmt::format("{} {} {}\n", word(name), word(package.version), word(package.commit));
    return text;
}

void describe_package(IndexedRecord& found, const Value& subject) {
    found.packages = packages_text_of(record::packages_of(subject));
    found.package = subject["package"].as_text();
    std::tie(found.version, found.commit) = version_of_subject(subject);
}

void describe_duet(IndexedRecord& found, const Value& a, const Value& b, const Value& settings) {
    found.kind = "duet";
    found.environment = environment_of(b, settings);
    describe_package(found, b);
    found.reference = reference_of(a, b, settings);
}

IndexedRecord place_and_time_of(const Value& context) {
    IndexedRecord found;
    found.date_s = unix_time_of(context["date"].as_text());
    found.machine = machine_of(context);
    found.machine_text = machine_text_of(context);
    return found;
}

/// Of a run's name, YYYYMMDDTHHMMSSZ, for a record that lost its date.
double date_in_name(std::string_view file) {
    if (file.size() < 16 || file[8] != 'T' || file[15] != 'Z') return 0;
    return unix_time_of(fmt::format("{}-{}-{}T{}:{}:{}+00:00", file.substr(0, 4), file.substr(4, 2), file.substr(6, 2),
                                    file.substr(9, 2), file.substr(11, 2), file.substr(13, 2)));
}

}  // namespace

std::pair<std::string, std::string> version_of_subject(const Value& subject, const std::string& package) {
    const std::string& about = package.empty() ? subject["package"].as_text() : package;
    if (about.empty() || about == "numpy")
        return {numpy_version_of(subject).as_text(), subject["numpy"]["git_revision"].as_text()};
    const record::Packages loaded = record::packages_of(subject);
    const auto found = loaded.find(about);
    if (found == loaded.end()) return {};
    return {found->second.version, found->second.commit};
}

std::vector<LoadedPackage> loaded_in(const std::string& packages) {
    std::vector<LoadedPackage> loaded;
    std::istringstream lines(packages);
    for (std::string line; std::getline(lines, line);) {
        const std::size_t name_end = line.find(' ');
        const std::size_t version_end = line.find(' ', name_end + 1);
        if (name_end == std::string::npos || version_end == std::string::npos) continue;
        loaded.push_back({line.substr(0, name_end), line.substr(name_end + 1, version_end - name_end - 1),
                          line.substr(version_end + 1)});
    }
    return loaded;
}

double unix_time_of(std::string_view date) {
    int parts[6] = {};  // year, month, day, hour, minute, second
    constexpr std::size_t kAt[6] = {0, 5, 8, 11, 14, 17};
    if (date.size() < 19) return 0;
    const auto number = [&](std::size_t at, std::size_t digits, int& into) {
        const auto [end, failure] = std::from_chars(date.data() + at, date.data() + at + digits, into);
        return failure == std::errc() && end == date.data() + at + digits && into >= 0;
    };
    for (int i = 0; i < 6; ++i)
        if (!number(kAt[i], i == 0 ? 4 : 2, parts[i])) return 0;
    const auto [year, month, day_of_month, hour, minute, second] = parts;
    const std::chrono::year_month_day day{std::chrono::year{year}, std::chrono::month{static_cast<unsigned>(month)},
                                          std::chrono::day{static_cast<unsigned>(day_of_month)}};
    if (!day.ok()) return 0;
    int east_s = 0;
    const std::size_t sign = date.find_first_of("+-", 19);
    if (int hours = 0, minutes = 0; sign != std::string_view::npos && date.size() >= sign + 6 &&
                                    number(sign + 1, 2, hours) && number(sign + 4, 2, minutes))
        east_s = (date[sign] == '-' ? -1 : 1) * (hours * 3600 + minutes * 60);
    const auto days = std::chrono::sys_days(day).time_since_epoch().count();
    return static_cast<double>(days) * 86400 + hour * 3600 + minute * 60 + second - east_s;
}

std::string machine_of(const Value& context) {
    std::vector<std::string> facts;
    for (const char* fact : record::kMachineFacts)
        if (const Value& value = context[fact]; !value.is_nil())
            facts.push_back(fmt::format("{}={}", fact, record::compact(record::to_json(value))));
    std::string fingerprint = context["fingerprint"].as_text();
    if (fingerprint.empty()) fingerprint = "unknown";
    if (facts.empty()) return fingerprint;
    constexpr int kHalf = 32;  // bits of the hash
    return fmt::format("{}-{:08x}", fingerprint, core::stable_hash(facts) >> kHalf);
}

IndexedRecord surroundings_of(const record::Duet& duet) {
    IndexedRecord found = place_and_time_of(duet.context);
    describe_duet(found, duet.sides[0], duet.sides[1], duet.settings);
    return found;
}

IndexedRecord surroundings_of(const record::Document& document, std::string_view file) {
    const Value& context = document.context;
    const Value settings = record::to_value(record::member(document.ours, "settings"));
    IndexedRecord found = place_and_time_of(context);
    found.file = file;
    if (found.date_s == 0) found.date_s = date_in_name(file);
    if (record::kind_of(document.ours) == record::RecordKind::kDuet) {
        const Value sides = record::to_value(record::member(document.ours, "sides"));
        describe_duet(found, sides["a"], sides["b"], settings);
        return found;
    }
    found.kind = context["imported_from"].is_nil() ? "run" : "imported";
    found.environment = environment_of(context, settings);
    found.at_clock_ghz = record::best_references(context).clock_ghz;
    describe_package(found, context);
    if (found.commit.empty()) found.commit = context["subject_commit"].as_text();
    return found;
}

}  // namespace tare::history
