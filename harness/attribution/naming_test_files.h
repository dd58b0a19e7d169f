// Files for the tests of names: the sample and its copies as a worker would report them, and damaged ones.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

#include "harness/attribution/elf_file.h"
#include "harness/attribution/naming.h"

namespace tare::attribution {

inline constexpr std::uint64_t kBias = 0x7f0000000000;

inline std::string contents(const std::string& path) {
    std::ifstream stream(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

/// As a worker would report the file, loaded at kBias.
inline core::CodeModule loaded(const std::string& path, std::uint64_t bias = kBias) {
    core::CodeModule module{path, "", bias, bias, bias};
    const auto file = ElfFile::open(path);
    if (!file) return module;
    module.build_id = file->build_id();
    module.start = ~std::uint64_t{0};
    for (const ElfSection& section : file->sections()) {
        if (!section.is_executable()) continue;
        module.start = std::min(module.start, bias + section.address);
        module.end = std::max(module.end, bias + section.address + section.size);
    }
    return module;
}

/// Where the sample's symbols are: the same in all its copies.
inline std::uint64_t sample(std::string_view symbol) {
    Naming naming({loaded(TARE_SAMPLE)}, {});
    return naming.address_of(symbol).value();
}

class NamingTest : public ::testing::Test {
  protected:
    void SetUp() override { ::unsetenv("DEBUGINFOD_URLS"); }  // no test asks a server

    std::string temporary(const std::string& name, const std::string& bytes) {
        if (folder_.empty()) {
            std::string made = std::filesystem::path(::testing::TempDir()) / "tare_naming_XXXXXX";
            if (::mkdtemp(made.data()) == nullptr) throw std::runtime_error("no temporary folder: " + made);
            folder_ = made;
        }
        const auto path = folder_ / name;
        std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
        return path;
    }
    void TearDown() override {
        if (!folder_.empty()) std::filesystem::remove_all(folder_);
    }

  private:
    std::filesystem::path folder_;
};

}  // namespace tare::attribution
