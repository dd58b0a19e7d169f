# shellcheck shell=bash
# shellcheck disable=SC2154 # root: setup.sh
# The arm64 world of ci/pmu-vm in .cache/pmu-vm, sourced after setup.sh: packages from this machine's own Debian mirrors by
# an apt state of their own, so that the machine's dpkg never hears of another architecture; nothing here needs root.

pmu_vm=$root/.cache/pmu-vm
kernel_package=linux-image-cloud-arm64 # has what QEMU's `virt` needs built in: PMU driver, serial console, initramfs

# arm64_apt STATE TOOL ARGS...: apt-get or apt-cache whose knowledge of packages is in STATE, not in /var/lib.
arm64_apt() {
    local state=$1 tool=$2
    shift 2
    "$tool" -q -o Dir::State="$state" -o Dir::State::lists="$state/lists" -o Dir::State::status="$state/status" \
        -o Dir::Cache="$state" -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o APT::Sandbox::User=root \
        -o APT::Install-Recommends=0 -o Acquire::Retries=3 "$@"
}

# libraries_of_build: those that the build on this machine takes from Debian, so that the cross build has them too.
libraries_of_build() { sed -nE 's/^(lib[^ ]*-dev|nlohmann-json3-dev) .*/\1/p' "$root/ci/apt-packages.txt"; }

packages_named_in() { sed 's/ *#.*//; /^$/d' "$@"; }

# download_packages STATE PACKAGES...: the archives of these packages and of all that they depend on, in STATE/archives.
download_packages() {
    local state=$1
    shift
    mkdir -p "$state/lists/partial" "$state/archives/partial" &&
        : >"$state/status" && # nothing is installed, so every dependency is downloaded
        arm64_apt "$state" apt-get update &&
        arm64_apt "$state" apt-get install --yes --download-only "$@"
}

# download_kernel STATE: the version that the metapackage depends on; of its own dependencies nothing is needed.
download_kernel() {
    local state=$1 version
    version=$(arm64_apt "$state" apt-cache depends "$kernel_package" | sed -n 's/^ *Depends: //p') &&
        [[ $version ]] &&
        (cd "$state" && arm64_apt "$state" apt-get download "$version")
}

# unpack_packages STATE DIR: absolute links would lead out of DIR; they are made relative.
unpack_packages() {
    local archive link
    mkdir -p "$2" || return
    for archive in "$1"/archives/*.deb; do dpkg-deb --extract "$archive" "$2" || return; done
    find "$2" -type l -lname '/*' -print0 | while IFS= read -r -d '' link; do
        ln --symbolic --no-dereference --force --relative "$2$(readlink "$link")" "$link" || return
    done
}

# unpack_kernel STATE DIR: the image alone, not 80 MB of modules.
unpack_kernel() {
    dpkg-deb --fsys-tarfile "$1"/linux-image-*.deb |
        tar --extract --to-stdout --wildcards './boot/vmlinuz-*' >"$2/vmlinuz"
}

# make_sysroot: .cache/pmu-vm/sysroot and .cache/pmu-vm/vmlinuz, made again when the lists or this file change.
make_sysroot() {
    local text start=$SECONDS state=$pmu_vm/apt packages
    mapfile -t packages < <(libraries_of_build && packages_named_in "$root/ci/emulated/arm64-packages.txt")
    text="${packages[*]} $kernel_package $(<"$root/ci/emulated/sysroot.sh")"
    is_stamped "$pmu_vm/sysroot/.made-from" "$text" && return
    say "downloading arm64 packages for the emulated machine (some 95 MB)"
    rm -rf "$state" "$pmu_vm/sysroot"
    logged pmu-vm-packages download_packages "$state" "${packages[@]}"
    logged pmu-vm-kernel download_kernel "$state"
    logged pmu-vm-unpack unpack_packages "$state" "$pmu_vm/sysroot"
    logged pmu-vm-unpack-kernel unpack_kernel "$state" "$pmu_vm"
    printf '%s\n' "$text" >"$pmu_vm/sysroot/.made-from"
    rm -rf "$state"
    say "unpacked $(du -sm "$pmu_vm/sysroot" | cut -f1) MB in $((SECONDS - start)) s"
}
