// LayerTable: from (module, function, caller) to the layer where a cost belongs. The rules are lines of a text file
// that users can extend; harness/attribution/layers.txt explains the format and holds ours. First match wins.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "harness/core/error.h"

namespace tare::attribution {

class LayerTable {
  public:
    struct Text {
        std::string name;  ///< of the file, for messages
        std::string text;
    };
    /// Rules of earlier texts come first. Errors: kUsage `layers.txt:12: ...` for an unknown kind of line, a missing
    /// field, a regular expression that is none.
    [[nodiscard]] static core::Expected<LayerTable> parse(const std::vector<Text>& texts);
    ~LayerTable();
    LayerTable(LayerTable&&) noexcept;
    LayerTable& operator=(LayerTable&&) noexcept;

    struct Place {
        std::string_view module;    ///< the file's name without folders; empty: code compiled at run time
        std::string_view function;  ///< normalised name; empty: it has none
    };
    struct Layer {
        std::string name;
        bool unresolved = false;  ///< "numpy (unresolved)"
        bool operator==(const Layer&) const = default;
    };
    /// `caller_layer`: the layer that was found for the caller; empty name where there is no caller.
    [[nodiscard]] Layer layer_of(const Place& function, const Place& caller, const Layer& caller_layer) const;

  private:
    struct State;
    explicit LayerTable(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

}  // namespace tare::attribution
