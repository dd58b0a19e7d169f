// Writing: whole ledgers, and problems both ways.
#include "harness/record/ledger_json.h"

#include "harness/record/visit_json.h"

namespace tare::record {

namespace {

Json program_to_json(const core::ProgramKey& program) {
    return object_of({{"architecture", program.architecture},
                      {"cpu_features", program.cpu_features},
                      {"blas_core", program.blas_core},
                      {"python_build_id", program.python_build_id},
                      {"host", program.host}});
}

Json module_to_json(const core::LedgerModule& module) {
    return object_of({{"path", module.path},
                      {"build_id", module.build_id},
                      {"symbols", core::name_of(module.symbols)},
                      {"self", count_to_json(module.self)},
                      {"named", module.named},
                      {"functions", module.functions},
                      {"named_functions", module.named_functions}});
}

Json layer_to_json(const core::LedgerLayer& layer) {
    return object_of({{"name", layer.name},
                      {"self", count_to_json(layer.self)},
                      {"functions", layer.functions},
                      {"unresolved", layer.unresolved}});
}

Json function_to_json(const core::LedgerFunction& function) {
    Json json = object_of({{"module", function.module},
                           {"name", function.name},
                           {"source", core::name_of(function.source)},
                           {"self", count_to_json(function.self)}});
    if (const auto& blas = function.blas)
        json["blas"] = object_of({{"role", blas->role},
                                  {"precision", blas->precision},
                                  {"routine", blas->routine},
                                  {"transposition", blas->transposition},
                                  {"core", blas->core},
                                  {"small_matrix", blas->small_matrix}});
    return json;
}

Json node_to_json(const core::LedgerNode& node) {
    Json json = object_of({{"parent", node.parent},
                           {"function", node.function},
                           {"layer", node.layer},
                           {"calls", node.calls},
                           {"self", node.self}});
    if (node.python >= 0) json["python"] = node.python;
    return json;
}

Json python_function_to_json(const core::LedgerPythonFunction& function) {
    Json json = object_of({{"name", function.name},
                           {"file", function.file},
                           {"first_line", function.first_line},
                           {"self", count_to_json(function.self)},
                           {"inclusive", function.inclusive},
                           {"calls", function.calls}});
    if (!function.lines.empty())
        json["lines"] = list_of(function.lines, [](const core::LedgerLine& each) -> Json {
            return Json::array({each.line, each.self});
        });
    return json;
}

Json route_to_json(const core::BlasRoute& route) {
    return object_of({{"functions", route.functions},
                      {"routine", route.routine},
                      {"precision", route.precision},
                      {"transposition", route.transposition},
                      {"core", route.core},
                      {"small_matrix", route.small_matrix},
                      {"instructions", route.instructions}});
}

}  // namespace

Json count_to_json(const core::Count& count) {
    return object_of({{"value", count.value}, {"lowest", count.lowest}, {"highest", count.highest}});
}

Json whole_ledger_to_json(const core::Ledger& ledger) {
    Json json = object_of(
        {{"case", ledger.case_name},
         {"statement", ledger.statement},
         {"program", program_to_json(ledger.program)},
         {"layouts", ledger.layouts},
         {"randomized_addresses", ledger.randomized_addresses},
         {"total", count_to_json(ledger.total)},
         {"floor", count_to_json(ledger.floor)},
         {"step_ns", number(ledger.step_ns)},
         {"modules", list_of(ledger.modules, module_to_json)},
         {"layers", list_of(ledger.layers, layer_to_json)},
         {"functions", list_of(ledger.functions, function_to_json)},
         {"nodes", list_of(ledger.nodes, node_to_json)},
         {"routes", list_of(ledger.routes, route_to_json)},
         {"allocations",
          list_of(ledger.allocations,
                  [](const core::LedgerAllocation& each) -> Json {
                      return object_of({{"function", each.function}, {"calls", each.calls}, {"bytes", each.bytes}});
                  })},
         {"system_calls", list_of(ledger.system_calls,
                                  [](const core::LedgerSystemCall& each) -> Json {
                                      return object_of({{"number", each.number}, {"calls", each.calls}});
                                  })},
         {"warnings", ledger.warnings}});
    if (!ledger.python_functions.empty())
        json["python_functions"] = list_of(ledger.python_functions, python_function_to_json);
    if (!ledger.python_problem.empty()) json["python_problem"] = ledger.python_problem;
    return json;
}

Json ledger_problem_to_json(const core::LedgerProblem& problem) {
    Json json = object_of({{"case", problem.case_name}});
    json["error"] = error_to_json(problem.error);
    return json;
}

core::Expected<core::LedgerProblem> ledger_problem_from_json(const Json& json) {
    if (!member(json, "case").is_string())
        return core::fail(core::ErrorCode::kData, "a ledger's problem names no case");
    return core::LedgerProblem{text_or(member(json, "case"), ""), error_from_json(member(json, "error"))};
}

}  // namespace tare::record
