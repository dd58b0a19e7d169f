// Paths and recovery.
#include "harness/record/store.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ctime>

#include "harness/record/abandoned_journals.h"

namespace tare::record {

namespace {

struct Written {
    core::Status status;
    std::size_t visits = 0;
};

Written write_recovered(const AbandonedJournal& journal, const std::filesystem::path& path) {
    if (const Duet* duet = std::get_if<Duet>(&journal.record))
        return {write_duet(path, *duet, decide(*duet), journal.path), duet->visits.size()};
    const Record& record = std::get<Record>(journal.record);
    return {write_record(path, record, summarize(record), journal.path), record.visits.size()};
}

}  // namespace

core::Expected<Store> find_store(const std::string& option, const Environment& environment) {
    const auto variable = [&](const char* name) { return environment(name).value_or(""); };
    if (!option.empty()) return Store{option};
    if (const std::string path = variable("TARE_STORE"); !path.empty()) return Store{path};
    if (const std::filesystem::path path = variable("XDG_DATA_HOME"); path.is_absolute()) return Store{path / "tare"};
    if (const std::filesystem::path home = variable("HOME"); !home.empty()) return Store{home / ".local/share/tare"};
    return core::fail(core::ErrorCode::kEnvironment,
                      "no folder for records: HOME, XDG_DATA_HOME and TARE_STORE are unset", "name one with --store");
}

core::Status create_folders(const Store& store) {
    for (const std::filesystem::path& folder : {store.records(), store.journals()}) {
        std::error_code error;
        std::filesystem::create_directories(folder, error);
        if (!error && ::access(folder.c_str(), W_OK) != 0) error = std::error_code(errno, std::generic_category());
        if (error)
            return core::fail(core::ErrorCode::kEnvironment,
                              fmt::format("cannot write to the store '{}': {}", folder.string(), error.message()),
                              "name another folder with --store or TARE_STORE");
    }
    return {};
}

std::string run_name(double unix_time_s, std::uint32_t random) {
    return fmt::format("{:%Y%m%dT%H%M%SZ}-{:08x}", fmt::gmtime(static_cast<std::time_t>(unix_time_s)), random);
}

std::filesystem::path record_path(const Store& store, const std::string& run) {
    return store.records() / (run + ".json");
}

std::vector<std::filesystem::path> list_records(const Store& store) {
    std::vector<std::filesystem::path> paths;
    std::error_code missing;
    for (const auto& entry : std::filesystem::directory_iterator(store.records(), missing))
        if (entry.path().extension() == ".json" && entry.path().filename().string().front() != '.')
            paths.push_back(entry.path());
    std::sort(paths.begin(), paths.end());
    return paths;
}

Recovery recover_store(const Store& store) {
    AbandonedJournals abandoned = recover_journals(store.journals());
    Recovery recovery{{}, std::move(abandoned.problems)};
    for (const AbandonedJournal& journal : abandoned.journals) {
        const std::filesystem::path path = record_path(store, journal.path.stem().string());
        const Written written = write_recovered(journal, path);
        if (!written.status) {
            recovery.problems.push_back(written.status.error());
            continue;
        }
        if (::unlink(journal.path.c_str()) != 0)
            recovery.problems.push_back(
                {core::ErrorCode::kEnvironment,
                 fmt::format("cannot remove journal '{}': {}", journal.path.string(), std::strerror(errno)),
                 "remove it by hand: its record is written"});
        recovery.items.push_back({journal.path, path, written.visits});
    }
    return recovery;
}

}  // namespace tare::record
