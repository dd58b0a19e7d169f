# shellcheck shell=bash
# shellcheck disable=SC2154 # root, python: setup.sh; pmu_vm: sysroot.sh; keep: ci/pmu-vm
# The guest of ci/pmu-vm --numpy, sourced after guest.sh: Debian's arm64 Python and NumPy, bench and its worker, no test program.

# numpy_root DIR: what they read at run time. The dynamic loader knows Debian's folders without a cache, but which BLAS is
# libblas.so.3, a package decides when it is installed: here it is OpenBLAS, as on a machine with libopenblas0-pthread.
numpy_root() {
    local libraries=usr/lib/aarch64-linux-gnu sysroot=$pmu_vm/sysroot name
    mkdir -p "$1/usr/bin" "$1/$libraries" "$1/tare/bin" &&
        cp --archive "$sysroot/lib" "$1/" &&
        cp --archive "$sysroot"/usr/bin/python3* "$1/usr/bin/" &&
        cp --archive "$sysroot"/usr/lib/python3* "$1/usr/lib/" &&
        cp --archive "$sysroot/$libraries"/*.so* "$sysroot/$libraries/openblas-pthread" "$1/$libraries/" || return
    for name in libblas.so.3 liblapack.so.3 libopenblas.so.0; do
        ln --symbolic --force "openblas-pthread/$name" "$1/$libraries/$name" || return
    done
    # byte code made here, as the packages' scripts would: in the guest it takes ten times as long
    "$python" -m compileall -q -j 0 --invalidation-mode unchecked-hash "$1/usr/lib/python3" "$1/usr/lib/python3.11" &&
        cp "$root/build/pmu-vm/bin/bench" "$root"/build/pmu-vm/bin/tare_worker.*.so "$1/tare/bin/" &&
        cp --recursive "$root/python" "$root/benchmarks" "$1/tare/" &&
        install --mode 755 "$root/ci/emulated/numpy_command.sh" "$1/command"
}

# guest_with_numpy FILE: the initramfs, as large as NumPy is.
guest_with_numpy() {
    local guest=$pmu_vm/guest-numpy
    rm -rf "$guest"
    logged pmu-vm-guest-numpy numpy_root "$guest"
    logged pmu-vm-initramfs make_initramfs "$1" "$guest"
    [[ $keep ]] || rm -rf "$guest"
}
