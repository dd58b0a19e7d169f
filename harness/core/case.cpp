// The name of a case, the words of a problem.
#include "harness/core/case.h"

namespace tare::core {

std::string Case::name() const {
    if (parameters.empty()) return operation;
    std::string text = operation + '[';
    const char* separator = "";
    for (const auto& [key, value] : parameters) {
        text += separator + key + '=' + value;
        separator = ",";
    }
    return text + ']';
}

std::string Case::parameter(std::string_view key) const {
    for (const auto& [name, value] : parameters)
        if (name == key) return value;
    return {};
}

std::string Catalogue::Problem::text() const {
    return error.starts_with(file + ':') ? error : file + ": " + error;
}

}  // namespace tare::core
