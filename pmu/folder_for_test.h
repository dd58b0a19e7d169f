// A machine made of files: a folder that stands for / in tests and goes when the test ends.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace tare::pmu {

struct MachineOfFiles : testing::Test {
    std::filesystem::path root;

    void SetUp() override {
        std::string name = testing::TempDir() + "tare_machine_XXXXXX";
        ASSERT_NE(::mkdtemp(name.data()), nullptr);
        root = name;
    }
    void TearDown() override { std::filesystem::remove_all(root); }

    /// `path` without a leading slash.
    void write(const std::string& path, const std::string& text) const {
        std::filesystem::create_directories((root / path).parent_path());
        std::ofstream(root / path) << text;
    }
};

}  // namespace tare::pmu
