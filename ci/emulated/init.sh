#!/bin/busybox sh
# shellcheck shell=dash
# Process 1 of the emulated machine: mounts what a program expects, runs /command, says its exit status, powers off. ci/pmu-vm
# looks for that line; a machine that ends without it has failed.
busybox mount -t proc none /proc
busybox mount -t sysfs none /sys
busybox mount -t devtmpfs none /dev
busybox mount -t tmpfs none /tmp
/command
echo "pmu-vm: /command ended with status $?"
busybox poweroff -f
