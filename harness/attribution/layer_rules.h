// The rules of a layer table as its text states them: layers.txt explains the lines. Only layer_table includes this.
#pragma once

#include <re2/re2.h>

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "harness/core/error.h"

namespace tare::attribution {

struct LayerRules {
    struct Layer {
        std::string name;        ///< empty: the caller's
        std::size_t module = 0;  ///< index into modules
        std::unique_ptr<RE2> function;
        std::unique_ptr<RE2> caller;  ///< null: any, or none
    };
    struct Unresolved {
        std::string group;
        std::size_t module = 0;
    };
    struct Deciding {
        std::size_t module = 0;
        std::vector<std::string> layers;
    };
    std::vector<std::unique_ptr<RE2>> modules;  ///< distinct: many rules share one
    std::vector<Layer> layers;
    std::vector<Deciding> deciding;
    std::vector<Unresolved> unresolved;

    /// Appends the rules of a text. Errors: kUsage, `<name>:<line>: ...`.
    [[nodiscard]] core::Status add(const std::string& name, std::string_view text);

  private:
    core::Status add_line(const std::vector<std::string_view>& fields);
    core::Expected<std::size_t> module_index(std::string_view pattern);
};

}  // namespace tare::attribution
