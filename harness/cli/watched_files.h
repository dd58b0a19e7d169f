// Files that must stay what they are while a subject is measured: a build that is replaced half-way makes two subjects
// of one. Reads the file system.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace tare::cli {

class WatchedFiles {
  public:
    /// Watches these too, from now on. What is no file is not watched: a folder changes with
    /// every file in it.
    void add(const std::vector<std::string>& paths);

    /// The first one that is no longer the file it was (another inode, size or modification time, or gone); empty:
    /// none.
    [[nodiscard]] std::string first_changed() const;

    /// 16 hexadecimal digits over paths, sizes and modification times: the same files, the same digest.
    [[nodiscard]] std::string digest() const;

    /// The first one that was modified after `unix_time_s`; empty: none.
    [[nodiscard]] std::string first_modified_after(double unix_time_s) const;

  private:
    struct Identity {
        std::uint64_t device = 0;
        std::uint64_t inode = 0;
        std::uint64_t size_bytes = 0;
        double modified_s = 0;
        bool operator==(const Identity&) const = default;
    };
    [[nodiscard]] static Identity identity_of(const std::string& path);  ///< all 0 where there is no file

    std::map<std::string, Identity> files_;
};

}  // namespace tare::cli
