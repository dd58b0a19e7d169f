// The report as one HTML file that needs nothing else: styles, script, plotting library and data in one text. Pure.
#pragma once

#include <string>
#include <string_view>

#include "harness/history/report.h"

namespace tare::history {

/// What the page is made of; see harness/history/report/. The plotting library is plotly.js.
struct ReportAssets {
    std::string_view page;    ///< HTML with {{places}}
    std::string_view style;   ///< CSS
    std::string_view script;  ///< JavaScript
    std::string_view charts;  ///< the library, gzip, base64
    std::string_view notice;  ///< its copyright and licence
};

/// Those that this program was built with.
[[nodiscard]] ReportAssets report_assets();

[[nodiscard]] std::string report_page(const ReportData& data, const ReportAssets& assets);

}  // namespace tare::history
