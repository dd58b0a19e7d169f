// LedgerBuilder: one case's traces, a pair (statement, floor) for each memory layout, become its ledger: named,
// layered, net of the floor, with the spread over layouts. Any one thread.
#pragma once

#include <memory>
#include <string>

#include "harness/attribution/layer_table.h"
#include "harness/attribution/naming.h"
#include "harness/core/ledger.h"
#include "harness/core/trace.h"

namespace tare::attribution {

class LedgerBuilder {
  public:
    /// `layers` must outlive it.
    LedgerBuilder(std::string case_name, std::string statement, const LayerTable& layers);
    ~LedgerBuilder();
    LedgerBuilder(LedgerBuilder&&) noexcept;
    LedgerBuilder& operator=(LedgerBuilder&&) noexcept;

    /// `naming` knows the modules of the process that both traces are from. Functions of different layouts are one if
    /// file and name are the same.
    void add_layout(const core::Trace& statement, const core::Trace& floor, Naming& naming);

    [[nodiscard]] int layouts() const;
    /// After at least one layout.
    [[nodiscard]] core::Ledger build(const core::ProgramKey& program) const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace tare::attribution
