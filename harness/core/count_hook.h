// CountHook: what is done right before and right after a batch, outside its wall-clock window, to count it.
#pragma once

namespace tare::core {

struct CountHook {
    void* context = nullptr;
    void (*before)(void* context) = nullptr;
    void (*after)(void* context) = nullptr;
};

}  // namespace tare::core
