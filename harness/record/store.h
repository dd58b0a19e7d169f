// The store: the folder where records go and trends look. `records/` holds the records, `journal/` the journals of runs
// and duets that are alive or were killed.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "harness/core/error.h"

namespace tare::record {

struct Store {
    std::filesystem::path root;

    [[nodiscard]] std::filesystem::path records() const { return root / "records"; }
    [[nodiscard]] std::filesystem::path journals() const { return root / "journal"; }
    bool operator==(const Store&) const = default;
};

/// Looks up an environment variable.
using Environment = std::function<std::optional<std::string>(const char* name)>;

/// The option, else $TARE_STORE, else $XDG_DATA_HOME/tare, else ~/.local/share/tare. Empty variables count as unset,
/// and so does an XDG_DATA_HOME that is not absolute (XDG Base Directory Specification). Errors: kEnvironment without a
/// home.
[[nodiscard]] core::Expected<Store> find_store(const std::string& option, const Environment& environment);

/// Makes the folders. Errors: kEnvironment with the path and the reason.
[[nodiscard]] core::Status create_folders(const Store& store);

/// `YYYYMMDDTHHMMSSZ-<8 hex>`: the name of a run, of its record (with .json) and of its journal (with .jsonl).
[[nodiscard]] std::string run_name(double unix_time_s, std::uint32_t random);

[[nodiscard]] std::filesystem::path record_path(const Store& store, const std::string& run);

/// The records of the store, oldest first by name; a missing folder holds none.
[[nodiscard]] std::vector<std::filesystem::path> list_records(const Store& store);

struct Recovery {
    struct Item {
        std::filesystem::path journal;
        std::filesystem::path record;
        std::size_t visits = 0;
    };
    std::vector<Item> items;
    std::vector<core::Error> problems;
};

/// Makes a record of every journal whose run or duet was killed, and removes the journal. To be called when a command
/// starts.
[[nodiscard]] Recovery recover_store(const Store& store);

}  // namespace tare::record
