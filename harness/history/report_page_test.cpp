// At stake: one file that works without a network, with nothing of a record in its markup.
#include "harness/history/report_page.h"

#include <gmock/gmock.h>

#include <regex>

#include "harness/history/sample_report.h"

namespace tare::history {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

std::size_t occurrences(const std::string& text, const std::string& what) {
    std::size_t count = 0;
    for (std::size_t at = text.find(what); at != text.npos; at = text.find(what, at + 1)) ++count;
    return count;
}

TEST(ReportPage, FillsEveryPlaceOnceAndReadsNoneInWhatItPutsIn) {
    const ReportAssets assets{"a{{style}}b{{data}}c{{unknown}}{{charts", "{{script}}", "S", "C", "N"};
    const std::string page = report_page(sample_report("{{script}}"), assets);
    EXPECT_THAT(page, StartsWith("a{{script}}b{"));
    EXPECT_THAT(page, HasSubstr("/store{{script}}"));
    EXPECT_TRUE(page.ends_with("}c{{charts")) << "a place that is not closed stays text";
}

TEST(ReportPage, HoldsEverySection) {
    const std::string page = report_page(sample_report(), report_assets());
    EXPECT_THAT(page, Not(HasSubstr("{{")));
    for (const char* title : {"What changed", "What is slowest", "Where the tare is largest", "Rungs over n", "Cases",
                              "History", "Ledger by layer", "Flame graph", "Layers over releases",
                              "Sampled time by layer", "Counters", "Samples", "Context"})
        EXPECT_EQ(occurrences(page, '>' + std::string(title) + "</h"), 1U) << title;
    for (const char* landmark : {"<header", "<nav", "<main", "<footer", "role=\"search\"", "lang=\"en\""})
        EXPECT_EQ(occurrences(page, landmark), 1U) << landmark;
}

TEST(ReportPage, NamesNoAddressOutsideItself) {
    std::string page = report_page(sample_report(), report_assets());
    EXPECT_THAT(page, HasSubstr("default-src 'none'")) << "the browser is told to fetch nothing";
    const std::regex fetched(R"((src|href|action|data)\s*=\s*["']?(https?:|//)|@import|url\()", std::regex::icase);
    EXPECT_FALSE(std::regex_search(std::string(report_assets().page), fetched));
    EXPECT_FALSE(std::regex_search(std::string(report_assets().style), fetched));
    for (const std::string_view part : {report_assets().page, report_assets().style, report_assets().script})
        EXPECT_THAT(std::string(part), Not(HasSubstr("://")));
}

TEST(ReportPage, WritesNoTextOfARecordAsMarkup) {
    for (const char* markup :
         {"innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function"})
        EXPECT_THAT(std::string(report_assets().script), Not(HasSubstr(markup)));
    const std::string hostile = "</script><script>alert(1)</script>";
    const std::string page = report_page(sample_report(hostile), report_assets());
    EXPECT_THAT(page, Not(HasSubstr("<script>alert")));
    EXPECT_EQ(occurrences(page, "<script>"), 1U) << "the page's own";
}

TEST(ReportPage, KeepsTheLicenceOfTheLibraryThatItCarries) {
    const ReportAssets assets = report_assets();
    EXPECT_THAT(std::string(assets.notice), HasSubstr("plotly.js"));
    EXPECT_THAT(std::string(assets.notice), HasSubstr("Permission is hereby granted, free of charge"));
    EXPECT_THAT(report_page(ReportData{}, assets), HasSubstr("Permission is hereby granted, free of charge"));
    EXPECT_LT(assets.charts.size(), 3'000'000U) << "compressed";
}

}  // namespace
}  // namespace tare::history
