// How `--help` looks: descriptions wrapped, what an option needs told, what it excludes left to the error of who gives
// both.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace tare::cli {

class HelpFormat : public CLI::Formatter {
  public:
    std::string make_option(const CLI::Option* option, bool is_positional) const override;
    std::string make_option_opts(const CLI::Option* option) const override;
    std::string make_subcommand(const CLI::App* command) const override;
};

}  // namespace tare::cli
