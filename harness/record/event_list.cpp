// Table, JSON, CSV and Markdown of events.
#include "harness/record/event_list.h"

#include <fmt/format.h>

#include <algorithm>

#include "harness/record/json.h"
#include "harness/record/markup.h"
#include "harness/record/number_text.h"

namespace tare::record {

namespace {

constexpr std::size_t kWidestName = 36;  // a longer one has its description on the next line
constexpr std::size_t kNameGap = 2;
constexpr std::size_t kNarrowestText = 20;  // below that, wrapping makes columns of words

std::string meaning_of(const core::EventDescription& event) {
    if (event.equivalent.empty()) return event.description;
    return event.description.empty() ? "= " + event.equivalent
                                     : fmt::format("{} (= {})", event.description, event.equivalent);
}

/// `text` in lines of at most `width` columns, broken at blanks, all but the first indented. `width` 0: one line.
std::string wrapped(const std::string& text, std::size_t width, std::size_t indent) {
    std::string result;
    std::size_t column = 0;
    for (std::size_t from = 0; from < text.size();) {
        const std::size_t to = std::min(text.find(' ', from), text.size());
        const std::string word = text.substr(from, to - from);
        from = to + 1;
        if (word.empty()) continue;
        const std::size_t columns = text_columns(word);
        if (width > 0 && column > 0 && column + 1 + columns > width) {
            result += '\n' + std::string(indent, ' ');
            column = 0;
        }
        result += (column > 0 ? " " : "") + word;
        column += (column > 0 ? 1 : 0) + columns;
    }
    return result;
}

std::string entry_of(const std::string& name, const std::string& meaning, std::size_t names, std::size_t width) {
    if (meaning.empty()) return name + '\n';
    const std::size_t indent = names + kNameGap;
    const std::size_t room = width > 0 ? std::max(width - std::min(width, indent), kNarrowestText) : 0;
    const bool fits = text_columns(name) <= names;
    return name + (fits ? std::string(indent - text_columns(name), ' ') : '\n' + std::string(indent, ' ')) +
           wrapped(meaning, room, indent) + '\n';
}

}  // namespace

std::string print_event_table(const std::vector<core::EventDescription>& events, std::size_t width) {
    std::size_t names = 0;
    for (const core::EventDescription& event : events) {
        names = std::max(names, text_columns(event.name));
        for (const core::EventAttribute& mask : event.masks) names = std::max(names, text_columns(mask.name) + 3);
    }
    names = std::min(names, width > 0 ? std::min(kWidestName, width / 2) : kWidestName);
    std::string text;
    for (const core::EventDescription& event : events) {
        text += entry_of(event.name, meaning_of(event), names, width);
        for (const core::EventAttribute& mask : event.masks)
            text += entry_of("  :" + mask.name, mask.description, names, width);
    }
    return text + fmt::format("\n{} event{}\n", events.size(), events.size() == 1 ? "" : "s");
}

std::string print_event_json(const std::vector<core::EventDescription>& events) {
    Json list = Json::array();
    for (const core::EventDescription& event : events) {
        Json masks = Json::array();
        for (const core::EventAttribute& mask : event.masks)
            masks.push_back(object_of({{"name", mask.name}, {"description", mask.description}}));
        list.push_back(object_of({{"name", event.name},
                                  {"description", event.description},
                                  {"equivalent", event.equivalent},
                                  {"masks", std::move(masks)}}));
    }
    return compact(object_of({{"events", std::move(list)}})) + '\n';
}

std::string print_event_csv(const std::vector<core::EventDescription>& events) {
    std::string text = "event,mask,description,equivalent\n";
    for (const core::EventDescription& event : events) {
        text +=
            fmt::format("{},,{},{}\n", csv_text(event.name), csv_text(event.description), csv_text(event.equivalent));
        for (const core::EventAttribute& mask : event.masks)
            text += fmt::format("{},{},{},\n", csv_text(event.name), csv_text(mask.name), csv_text(mask.description));
    }
    return text;
}

std::string print_event_markdown(const std::vector<core::EventDescription>& events) {
    std::string text = "| event | description |\n|---|---|\n";
    for (const core::EventDescription& event : events) {
        text += fmt::format("| `{}` | {} |\n", markdown_cell(event.name), markdown_cell(meaning_of(event)));
        for (const core::EventAttribute& mask : event.masks)
            text += fmt::format("| `{}:{}` | {} |\n", markdown_cell(event.name), markdown_cell(mask.name),
                                markdown_cell(mask.description));
    }
    return text;
}

}  // namespace tare::record
