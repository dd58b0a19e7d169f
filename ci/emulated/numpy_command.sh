#!/bin/busybox sh
# shellcheck shell=dash
# /command of ci/pmu-vm --numpy: one worker measures the cases of TARE_FILTER, counted; one seed, so that order, hash seed and
# placements are those of the other boots: counts depend on them. What bench says stands between two marks for compare_boots.py.
export PATH=/usr/bin:/bin HOME=/tmp TARE_HOME=/tare LC_ALL=C.UTF-8
/tare/bin/bench run --python /usr/bin/python3 --host executable --rounds 1 --seed 1 --filter "$TARE_FILTER" \
    --counters cycles,instructions --require-counters --store /tmp/store --format json >/tmp/run.json || exit
echo "pmu-vm: begin of JSON"
busybox cat /tmp/run.json
echo "pmu-vm: end of JSON"
