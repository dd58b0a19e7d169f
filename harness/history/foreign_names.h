// Names of cases made of what other tools call their benchmarks: readable, one line, and such that
// stats::parse_case_name finds operation and parameters in them. Pure.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/core/case.h"

namespace tare::history {

/// Without control characters and surrounding blanks.
[[nodiscard]] std::string one_line_name(std::string_view text);

/// `bench_core.Core.time_array` as an operation: a bracket would begin parameters.
[[nodiscard]] std::string operation_name(std::string_view text);

/// The key of a parameter: an identifier. `index` counts from 0 and names one that has no name: param1, param2, ...
[[nodiscard]] std::string parameter_key(std::string_view name, std::size_t index);

/// The value of a parameter from Python's repr of it: `'float32'` is float32, `<class 'numpy.float32'>` numpy.float32.
/// Commas and brackets that would end the parameter are replaced; beyond 80 bytes it is cut.
[[nodiscard]] std::string parameter_value(std::string_view repr);

/// `operation[key=value,...]`, of parts that the functions above made. A key that recurs gets a number.
[[nodiscard]] std::string joined_name(const std::string& operation, core::Parameters parameters);

/// Tells names apart: the second of a kind gets a parameter variant=2.
class DistinctNames {
  public:
    [[nodiscard]] std::string distinct(const std::string& name);

  private:
    std::map<std::string, int, std::less<>> seen_;
};

}  // namespace tare::history
