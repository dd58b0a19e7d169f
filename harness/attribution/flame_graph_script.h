// The text of flame_graph.js, which every flame graph carries.
#pragma once

#include <string_view>

namespace tare::attribution {

[[nodiscard]] std::string_view flame_graph_script();

}  // namespace tare::attribution
