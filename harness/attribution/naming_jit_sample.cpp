// An object file for the tests of names, as a JIT compiler registers it: never linked, never run.
namespace sample {

double add(double a, double b) {
    return a + b;
}

}  // namespace sample

extern "C" int sample_jit_plain(int value) {
    return value + 1;
}
