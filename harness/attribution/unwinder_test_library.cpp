// A shared library that calls a function of its own by name, as OpenBLAS's drivers do: through its PLT.
extern "C" {
[[gnu::visibility("default"), gnu::noinline]] int called_by_name(int value);
[[gnu::visibility("default")]] int calls_by_name(int value);

int called_by_name(int value) {
    return value * 3;
}

int calls_by_name(int value) {
    return called_by_name(value) + 1;
}
}
