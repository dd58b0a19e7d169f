// From a BLAS function that nothing of BLAS called, along the heaviest child that is driver, kernel or public function
// itself (LAPACK's call BLAS's), to where no such child is.
#include <algorithm>
#include <map>
#include <utility>

#include "harness/attribution/blas_name.h"

namespace tare::attribution {

namespace {

constexpr std::size_t kNone = static_cast<std::size_t>(-1);

class RouteFinder {
  public:
    explicit RouteFinder(const core::Ledger& ledger)
        : ledger_(ledger), inclusive_(core::inclusive_counts(ledger.nodes)), children_(ledger.nodes.size()) {
        std::vector<bool> module_is_blas;
        for (const core::LedgerModule& module : ledger.modules) module_is_blas.push_back(is_blas_module(module.path));
        for (const core::LedgerFunction& function : ledger.functions) {
            is_blas_.push_back(function.module < module_is_blas.size() && module_is_blas[function.module]);
            names_.push_back(is_blas_.back() && core::is_name(function.source) ? parse_blas_name(function.name)
                                                                               : std::nullopt);
        }
        for (std::size_t i = 0; i < ledger.nodes.size(); ++i) {
            if (ledger.nodes[i].parent >= 0) children_[static_cast<std::size_t>(ledger.nodes[i].parent)].push_back(i);
        }
    }

    /// Nodes where BLAS is entered: the first public function, or where there is none the first that has a name.
    [[nodiscard]] std::vector<std::size_t> entries() const {
        std::vector<bool> is_inside(ledger_.nodes.size());
        std::vector<std::size_t> entries;
        for (std::size_t i = 0; i < ledger_.nodes.size(); ++i) {
            const auto parent = ledger_.nodes[i].parent;
            is_inside[i] = parent >= 0 && is_inside[static_cast<std::size_t>(parent)];
            if (is_inside[i] || !is_blas_[ledger_.nodes[i].function]) continue;
            is_inside[i] = true;
            const std::size_t first = first_public(i);
            if (first != kNone) {
                entries.push_back(first);
            } else if (core::is_name(ledger_.functions[ledger_.nodes[i].function].source)) {
                entries.push_back(i);
            }
        }
        return entries;
    }

    [[nodiscard]] core::BlasRoute route_from(std::size_t node) const {
        core::BlasRoute route;
        route.instructions = inclusive_[node];
        for (std::size_t i = node; i != kNone; i = heaviest_below(i)) add(route, ledger_.nodes[i].function);
        return route;
    }

  private:
    [[nodiscard]] const std::optional<BlasName>& name_at(std::size_t node) const {
        return names_[ledger_.nodes[node].function];
    }

    [[nodiscard]] bool has_role(std::size_t node, BlasRole role) const {
        return name_at(node) && name_at(node)->role == role;
    }

    /// The heaviest public function at or below a node, through what is none: stubs, functions without a name.
    [[nodiscard]] std::size_t first_public(std::size_t node) const {
        if (has_role(node, BlasRole::kInterface)) return node;
        if (name_at(node)) return kNone;  // a driver's or kernel's route begins with itself
        std::size_t best = kNone;
        for (const std::size_t child : children_[node]) {
            const std::size_t found = first_public(child);
            if (found != kNone && (best == kNone || inclusive_[found] > inclusive_[best])) best = found;
        }
        return best;
    }

    /// Of the nearest drivers, kernels and public functions below a node the heaviest.
    [[nodiscard]] std::size_t heaviest_below(std::size_t node) const {
        std::size_t best = kNone;
        for (const std::size_t child : children_[node]) {
            std::size_t found = kNone;
            if (!name_at(child)) {
                found = heaviest_below(child);
            } else if (has_role(child, BlasRole::kDriver) || has_role(child, BlasRole::kKernel) ||
                       has_role(child, BlasRole::kInterface)) {
                found = child;
            }
            if (found != kNone && (best == kNone || inclusive_[found] > inclusive_[best])) best = found;
        }
        return best;
    }

    void add(core::BlasRoute& route, std::uint32_t function) const {
        const std::optional<BlasName>& name = names_[function];
        std::string shown = ledger_.functions[function].name;
        if (name && name->role == BlasRole::kInterface) {
            shown = undecorated_blas_name(shown);
            // libblas.so.3 hands cblas_dgemm on to libopenblas.so.0's cblas_dgemm or dgemm_: one function to the user.
            const bool repeats = route.routine == name->routine && route.precision == name->precision;
            if (route.functions.size() == 1 && repeats) return;
        }
        route.functions.push_back(std::move(shown));
        if (!name) return;
        const auto fill = [](std::string& field, const std::string& value) {
            if (field.empty()) field = value;
        };
        fill(route.precision, name->precision);
        fill(route.routine, name->routine);
        fill(route.transposition, name->transposition);
        fill(route.core, name->core);
        route.small_matrix = route.small_matrix || name->small_matrix;
    }

    const core::Ledger& ledger_;
    std::vector<std::uint64_t> inclusive_;
    std::vector<std::vector<std::size_t>> children_;
    std::vector<bool> is_blas_;                   // by function
    std::vector<std::optional<BlasName>> names_;  // by function
};

}  // namespace

std::vector<core::BlasRoute> blas_routes(const core::Ledger& ledger) {
    const RouteFinder finder(ledger);
    std::vector<core::BlasRoute> routes;
    for (const std::size_t entry : finder.entries()) {
        core::BlasRoute route = finder.route_from(entry);
        if (route.routine.empty()) continue;  // a library's start-up or a question about its configuration
        const auto same = std::ranges::find(routes, route.functions, &core::BlasRoute::functions);
        if (same == routes.end()) {
            routes.push_back(std::move(route));
        } else {
            same->instructions += route.instructions;
        }
    }
    std::ranges::stable_sort(routes, std::greater<>(), &core::BlasRoute::instructions);
    return routes;
}

}  // namespace tare::attribution
