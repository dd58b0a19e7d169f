#!/bin/busybox sh
# shellcheck shell=dash
# /command of ci/pmu-vm --numpy: one worker measures the cases of TARE_FILTER, counted. The seed fixes order, hash seeds, environments
# and placements, the budget lets every boot have all 24 placements, however slow. What bench says as JSON stands between two
# marks for ci/emulated/compare_boots.py.
export PATH=/usr/bin:/bin HOME=/tmp TARE_HOME=/tare LC_ALL=C.UTF-8
/tare/bin/bench run --python /usr/bin/python3 --host executable --rounds 1 --seed 1 --visit-budget 60 \
    --filter "$TARE_FILTER" --counters cycles,instructions --require-counters --store /tmp/store --format json >/tmp/run.json || exit
echo "pmu-vm: begin of JSON"
busybox cat /tmp/run.json
echo "pmu-vm: end of JSON"
