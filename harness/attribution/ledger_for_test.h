// Ledgers made up in a few lines, for the tests of this folder.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "harness/core/ledger.h"

namespace tare::attribution {

class LedgerForTest {
  public:
    /// A node below another (-1: a root); its function and module are added when first named. Returns its index.
    std::int32_t node(std::int32_t parent, const std::string& function, const std::string& module, std::uint64_t self,
                      const std::string& layer = "interpreter", core::NameSource source = core::NameSource::kSymbols) {
        core::LedgerNode node;
        node.parent = parent;
        node.function = function_index(function, module, source);
        node.layer = layer_index(layer);
        node.calls = 1;
        node.self = self;
        ledger.nodes.push_back(node);
        ledger.total.value += self;
        ledger.layers[node.layer].self.value += self;
        return static_cast<std::int32_t>(ledger.nodes.size() - 1);
    }

    core::Ledger ledger;

  private:
    std::uint32_t function_index(const std::string& name, const std::string& path, core::NameSource source) {
        const auto module = std::ranges::find(ledger.modules, path, &core::LedgerModule::path);
        const auto module_index = static_cast<std::uint32_t>(module - ledger.modules.begin());
        if (module == ledger.modules.end()) {
            ledger.modules.emplace_back();
            ledger.modules.back().path = path;
        }
        for (std::size_t i = 0; i < ledger.functions.size(); ++i) {
            if (ledger.functions[i].name == name && ledger.functions[i].module == module_index) {
                return static_cast<std::uint32_t>(i);
            }
        }
        ledger.functions.push_back({module_index, name, source, {}, {}});
        return static_cast<std::uint32_t>(ledger.functions.size() - 1);
    }

    std::uint32_t layer_index(const std::string& name) {
        const auto layer = std::ranges::find(ledger.layers, name, &core::LedgerLayer::name);
        const auto index = static_cast<std::uint32_t>(layer - ledger.layers.begin());
        if (layer == ledger.layers.end()) {
            ledger.layers.emplace_back();
            ledger.layers.back().name = name;
            ledger.layers.back().unresolved = name.ends_with("(unresolved)");
        }
        return index;
    }
};

/// A call of `a + b`, 100 instructions on two paths; one function without a name, a module that was compiled at run
/// time.
inline core::Ledger small_ledger() {
    LedgerForTest made;
    made.ledger.case_name = "add[kind=0d]";
    made.ledger.statement = "x + y";
    const std::string python = "/usr/lib/libpython3.11.so.1.0", numpy = "/v/_multiarray_umath.so";
    const auto loop = made.node(-1, "_PyEval_EvalFrameDefault", python, 20);
    const auto add = made.node(loop, "PyNumber_Add", python, 10, "number_protocol");
    const auto ufunc = made.node(add, "ufunc_generic_fastcall", numpy, 0, "argument_parsing");
    made.node(ufunc, "_multiarray_umath.so+0x1234", numpy, 15, "numpy (unresolved)", core::NameSource::kFrameEntry);
    made.node(ufunc, "_multiarray_umath.so+0x5678", numpy, 5, "numpy (unresolved)", core::NameSource::kNone);
    made.node(ufunc, "DOUBLE_add_AVX2", numpy, 30, "inner_loop");
    made.node(loop, "__main__::f", "", 20, "jit", core::NameSource::kJit);
    return made.ledger;
}

/// Names as nobody would choose them, which foreign binaries and users' case names may hold.
inline core::Ledger hostile_ledger() {
    LedgerForTest made;
    made.ledger.case_name = "<script>alert(1)</script>;\"'&]]>\n";
    const auto first = made.node(-1, "<script>alert(2)</script>", "/x/<m>&.so", 1000, "<layer> & \"more\"");
    made.node(first, "]]><![CDATA[", "/x/]]>.so", 200, "]]>");
    made.node(first, "a \"quoted\" & 'other' name;with;semicolons", "/x/a b.so", 300, "interpreter");
    made.node(first, std::string("nul\0 bell\a esc\x1b tab\t lf\n del\x7f", 29), "/x/c.so", 400, "interpreter");
    made.node(first, "bytes \xff\xfe\xc0\xaf \xed\xa0\x80 \xf4\x90\x80\x80 end \xe2\x82", "/x/d.so", 100,
              "interpreter");
    made.node(first, "\xef\xbf\xbe \xef\xbf\xbf \xf0\x9f\x90\x8d \xc3\xa9", "/x/e.so", 100, "interpreter");
    made.node(first, "back\\slash \\u0041 --> &amp; <!--", "/x/f.so", 100, "interpreter");
    made.node(first, "", "/x/g.so", 100, "interpreter");
    return made.ledger;
}

}  // namespace tare::attribution
