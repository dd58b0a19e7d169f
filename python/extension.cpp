// Module definition of `tare_worker`.
#include "python/extension.h"

#include "python/py.h"

PYBIND11_MODULE(tare_worker, module) {
    module.doc() = "The worker core of tare, loaded into a subject's own interpreter.";
    module.def("main", &tare::python::worker_main, "Serve the channel in TARE_WORKER_FD; does not return.");
}
