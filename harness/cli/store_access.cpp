// getenv for record::find_store.
#include "harness/cli/store_access.h"

#include <cstdlib>

namespace tare::cli {

core::Expected<record::Store> open_store(const Options& options) {
    return record::find_store(options.store, [](const char* name) -> std::optional<std::string> {
        const char* value = std::getenv(name);
        return value != nullptr ? std::optional<std::string>(value) : std::nullopt;
    });
}

}  // namespace tare::cli
