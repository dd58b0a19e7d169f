// 100 columns, whatever the terminal: help is read in logs and pages, too.
#include "harness/cli/help_format.h"

#include <sstream>

#include "harness/record/wrapped_text.h"

namespace tare::cli {

namespace {

constexpr std::size_t kWidth = 100;
constexpr std::size_t kColumn = 30;  // of descriptions; CLI11's own

std::string line_of(const std::string& name, const std::string& description) {
    std::ostringstream out;
    CLI::detail::format_help(out, name, record::wrapped(description, kWidth - kColumn), kColumn);
    return out.str();
}

}  // namespace

std::string HelpFormat::make_option(const CLI::Option* option, bool is_positional) const {
    std::string description = make_option_desc(option);
    for (const CLI::Option* needed : option->get_needs())
        if (description.find(needed->get_name()) == std::string::npos) description += "; needs " + needed->get_name();
    return line_of(make_option_name(option, is_positional) + make_option_opts(option), description);
}

std::string HelpFormat::make_option_opts(const CLI::Option* option) const {
    std::string text = option->get_option_text().empty() ? "" : " " + option->get_option_text();
    if (text.empty() && option->get_type_size() != 0) {
        if (!option->get_type_name().empty()) text += ' ' + option->get_type_name();
        if (option->get_expected_max() == CLI::detail::expected_max_vector_size) text += " ...";
    }
    return text;
}

std::string HelpFormat::make_subcommand(const CLI::App* command) const {
    return line_of(command->get_name(), command->get_description());
}

}  // namespace tare::cli
