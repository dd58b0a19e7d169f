// Stands for a NumPy built without BLAS: a shared object with relocations, none of them to a cblas routine.
#include <cmath>

extern "C" [[gnu::visibility("default")]] double module_without_blas_sine(double x) {
    return std::sin(x);
}
