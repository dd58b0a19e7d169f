// At stake: help of 168 columns breaks in every terminal; that of duet named 20 excluded options where its one sentence
// was.
#include "harness/cli/help_format.h"

#include <gmock/gmock.h>

#include "harness/cli/options.h"

namespace tare::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(Help, FitsAHundredColumnsAndNamesNoExcludedOption) {
    for (const char* command : {"run", "list", "duet", "compare", "explain", "profile", "trend", "bisect", "report",
                                "store", "pmu", "doctor"}) {
        const std::string help = parse_options({command, "--help"}).text;
        EXPECT_THAT(help, Not(HasSubstr("Excludes")));
        for (std::size_t begin = 0; begin < help.size();) {
            const std::size_t end = std::min(help.find('\n', begin), help.size());
            EXPECT_LE(end - begin, 120U) << command << ": " << help.substr(begin, end - begin);
            begin = end + 1;
        }
    }
    EXPECT_THAT(parse_options({"duet", "--help"}).text, HasSubstr("--margins WORD "));
    EXPECT_THAT(parse_options({"duet", "--help"}).text, HasSubstr("needs --inject"));
}

}  // namespace
}  // namespace tare::cli
