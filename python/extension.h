// The executable host's door: the extension module `tare_worker`, whose main() calls into the worker core.
#pragma once

namespace tare::python {

/// Defined by harness/worker: serves requests on the channel named by the environment; does not return.
/// Declared here because only this folder may include Python.h.
void worker_main();

}  // namespace tare::python
