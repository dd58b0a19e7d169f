# shellcheck shell=bash
# shellcheck disable=SC2154 # root, logs: setup.sh; pmu_vm: sysroot.sh
# The emulated machine of ci/pmu-vm, sourced after setup.sh and sysroot.sh: makes its initramfs, boots it, judges how it ended.
# A boot that hangs, panics or says no status has failed, and what the guest printed is shown.

guest_seconds=120 # a boot with its tests takes three

# make_initramfs FILE DIR: DIR as the guest's root, with /init.
make_initramfs() {
    mkdir -p "$2"/{bin,proc,sys,dev,tmp} &&
        install --mode 755 "$root/ci/emulated/init.sh" "$2/init" &&
        cp "$pmu_vm/sysroot/bin/busybox" "$2/bin/busybox" &&
        (cd "$2" && find . -print0 | sort -z | cpio --null --create --format newc --quiet --owner 0:0) >"$1"
}

# boot LOG CPU MEMORY_MB INITRAMFS VARIABLES...: with a virtual clock that ticks once an instruction, which is what makes QEMU
# count them. NAME=VALUE on the kernel's command line becomes /init's environment. The guest's console is in LOG.
boot() {
    local log=$1 cpu=$2 memory_mb=$3 initramfs=$4 status=0
    shift 4
    timeout "$guest_seconds" qemu-system-aarch64 -M virt -cpu "$cpu" -icount shift=0 -nic none -m "$memory_mb" -smp 1 \
        -nographic -no-reboot -kernel "$pmu_vm/vmlinuz" -initrd "$initramfs" \
        -append "console=ttyAMA0 quiet panic=-1 $*" </dev/null >"$log.console" 2>&1 || status=$?
    tr -d '\r' <"$log.console" >"$log"
    rm "$log.console"
    case $status in
        0) ;;
        124) guest_failed "$log" "did not end within $guest_seconds s" ;;
        *) guest_failed "$log" "qemu-system-aarch64 ended with status $status" ;;
    esac
    status=$(sed -n 's/^pmu-vm: .*ended with status //p' "$log")
    [[ $status ]] || guest_failed "$log" "ended without a status: it panicked or never got to its command"
    [[ $status == 0 ]] || guest_failed "$log" "the command ended with status $status"
}

guest_failed() {
    tail -n 80 "$1" >&2
    die "the emulated machine failed: $2 (all that it printed: $1)"
}
