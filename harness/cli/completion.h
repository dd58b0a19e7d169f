// What a shell completes after `bench`: commands, their own commands and options. Pure.
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace tare::cli {

enum class Shell { kBash, kZsh, kFish };

/// A script to be sourced by the shell. Of bash 4, zsh 5 with its bashcompinit, fish 3.
[[nodiscard]] std::string completion_script(const CLI::App& app, Shell shell);

}  // namespace tare::cli
