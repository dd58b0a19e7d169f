// Golden texts: what a test prints, kept in testdata/ and compared character by character.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace tare::record {

/// Compares with testdata/<name>; on mismatch writes <name>.got beside it.
inline void expect_golden(const std::string& name, const std::string& text) {
    const std::filesystem::path path = std::filesystem::path(TARE_TESTDATA) / name;
    std::ostringstream expected;
    expected << std::ifstream(path, std::ios::binary).rdbuf();
    if (expected.str() == text) return;
    std::ofstream(path.string() + ".got", std::ios::binary) << text;
    ADD_FAILURE() << "differs from " << path << "; see " << path << ".got\n" << text;
}

}  // namespace tare::record
