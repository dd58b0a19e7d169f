// The text of layers.txt, which is part of the program: what a LayerTable is made of unless the user adds rules.
#pragma once

#include "harness/attribution/layer_table.h"

namespace tare::attribution {

[[nodiscard]] LayerTable::Text built_in_layers();

}  // namespace tare::attribution
