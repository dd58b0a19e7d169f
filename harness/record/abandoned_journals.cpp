// Finding, locking and reading abandoned journals.
#include "harness/record/abandoned_journals.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string>

#include "harness/record/duet_journal.h"
#include "harness/record/journal.h"
#include "harness/record/journal_lines.h"

namespace tare::record {

namespace {

core::Expected<std::string> read_all(const Descriptor& descriptor, const std::filesystem::path& path) {
    std::string text;
    char block[1 << 16];
    while (true) {
        const ssize_t count = ::read(descriptor.number(), block, sizeof block);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return tl::unexpected(journal_error("read", path, errno));
        if (count == 0) return text;
        text.append(block, static_cast<std::size_t>(count));
    }
}

core::Expected<AnyRecord> parse(const core::Expected<std::string>& text, const std::filesystem::path& path) {
    if (!text) return tl::unexpected(text.error());
    if (journal_kind(*text) == kDuetJournal)
        return parse_duet_journal(*text, path.string()).map([](Duet&& duet) { return AnyRecord(std::move(duet)); });
    return parse_journal(*text, path.string()).map([](Record&& record) { return AnyRecord(std::move(record)); });
}

}  // namespace

AbandonedJournals recover_journals(const std::filesystem::path& folder) {
    AbandonedJournals result;
    std::error_code missing;
    std::vector<std::filesystem::path> paths;
    for (const auto& entry : std::filesystem::directory_iterator(folder, missing))
        if (entry.path().extension() == kJournalSuffix) paths.push_back(entry.path());
    std::sort(paths.begin(), paths.end());
    for (const std::filesystem::path& path : paths) {
        Descriptor descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
        if (!descriptor.is_open()) {
            if (errno != ENOENT) result.problems.push_back(journal_error("open", path, errno));
            continue;
        }
        if (::flock(descriptor.number(), LOCK_EX | LOCK_NB) != 0) {
            if (errno != EWOULDBLOCK) result.problems.push_back(journal_error("lock", path, errno));
            continue;  // its run is alive
        }
        struct stat status {};
        if (::fstat(descriptor.number(), &status) != 0 || status.st_nlink == 0) continue;  // recovered by another bench
        core::Expected<AnyRecord> record = parse(read_all(descriptor, path), path);
        if (record)
            result.journals.push_back({path, *std::move(record), std::move(descriptor)});
        else
            result.problems.push_back(record.error());
    }
    return result;
}

}  // namespace tare::record
