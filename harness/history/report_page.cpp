// Fills the template's places in one pass: what is put in is not looked through for places again.
#include "harness/history/report_page.h"

#include <functional>
#include <map>

#include "harness/history/script_json.h"

namespace tare::history {

namespace {

/// Islands are found by number: an operation's name, out of a record, stays out of the markup.
std::string islands_of(const ReportData& data) {
    std::string names = "[";
    std::string elements;
    int number = 0;
    for (const auto& [operation, json] : sample_islands(data)) {
        names += (number == 0 ? "" : ",") + script_json(operation);
        elements +=
            "<script type=\"application/json\" id=\"samples-" + std::to_string(number++) + "\">" + json + "</script>\n";
    }
    return "<script type=\"application/json\" id=\"sample-operations\">" + names + "]</script>\n" + elements;
}

}  // namespace

std::string report_page(const ReportData& data, const ReportAssets& assets) {
    const std::map<std::string_view, std::function<std::string()>> places = {
        {"style", [&] { return std::string(assets.style); }},
        {"script", [&] { return std::string(assets.script); }},
        {"charts", [&] { return std::string(assets.charts); }},
        {"notice", [&] { return std::string(assets.notice); }},
        {"data", [&] { return report_json(data); }},
        {"samples", [&] { return islands_of(data); }}};
    std::string text;
    std::string_view rest = assets.page;
    while (!rest.empty()) {
        const std::size_t begin = rest.find("{{");
        const std::size_t end = begin == rest.npos ? rest.npos : rest.find("}}", begin);
        if (end == rest.npos) break;
        text += rest.substr(0, begin);
        const auto place = places.find(rest.substr(begin + 2, end - begin - 2));
        if (place != places.end()) text += place->second();
        rest.remove_prefix(end + 2);
    }
    return text.append(rest);
}

}  // namespace tare::history
