// Duets that the store holds say first; what they leave open is measured.
#include "harness/cli/trend_confirmation.h"

#include "harness/cli/change_confirmation.h"
#include "harness/cli/store_access.h"
#include "harness/history/confirmation.h"
#include "harness/history/store_index.h"
#include "pmu/machine_facts.h"

namespace tare::cli {

core::Status confirm_changes(const Options& options, const Streams& streams, std::vector<history::Trend>& trends) {
    const core::Expected<record::Store> store = open_store(options);
    if (!store) return tl::unexpected<core::Error>(store.error());
    core::Expected<history::StoreIndex> index = history::StoreIndex::open(*store);
    if (!index) return tl::unexpected<core::Error>(index.error());
    const auto records = index->records();
    if (!records) return tl::unexpected<core::Error>(records.error());
    history::confirm_from_records(*store, *records, trends);
    const std::string machine = pmu::machine_facts()["fingerprint"].as_text();
    return confirm_by_duets(options, options.trend.build, streams, machine, trends);
}

}  // namespace tare::cli
