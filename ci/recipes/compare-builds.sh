#!/usr/bin/env bash
# compare-builds.sh BASE HEAD [-- BENCH DUET OPTIONS]: has HEAD become slower than BASE? Installs both into virtual
# environments and compares them by `bench duet --gate`. A side is a git ref of the repository in the current folder, built
# by pip, or a pip requirement (numpy==2.0.2, a wheel's path). compare-builds.sh --help says more.
set -euo pipefail

usage() {
    cat <<EOF
usage: compare-builds.sh BASE HEAD [-- OPTIONS OF bench duet]

  BASE, HEAD   a git ref of the repository in the current folder (main, HEAD~1, a commit): exported and built by pip;
               or a pip requirement (numpy==2.0.2, ./numpy.whl). What git knows as a commit is a ref.

Environment:
  TARE          checkout of tare (default: the one this script lies in)
  BENCH         how to call bench (default: \$TARE/ci/bench, which installs and builds it if needed)
  PYTHON        interpreter of the environments (default: python3)
  REQUIREMENTS  what both environments hold besides, a pip requirements file: whatever is not compared, pinned
  BUILD_OPTIONS options of pip install for a ref, as in '--no-build-isolation -Csetup-args=-Dblas=openblas'
  WORK          where environments and results go (default: ./compare-builds); summary.md and duet.json are left there

Exit status: 0 none proven slower, 1 slower, 2 usage or a side that does not install, 3 inconclusive (with
--fail-on-inconclusive), 4 some cases failed, 130 interrupted.
EOF
}

die() {
    printf 'compare-builds: %s\n' "$*" >&2
    exit 2
}

case ${1:-} in -h | --help) usage && exit 0 ;; esac
(($# >= 2)) || { usage >&2 && exit 2; }
base=$1 head=$2
shift 2
if (($#)); then
    [[ $1 == -- ]] || die "'$1' after BASE and HEAD: options of bench duet come after --"
    shift
fi
tare=${TARE:-$(dirname "$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")")}
bench=${BENCH:-$tare/ci/bench}
python=${PYTHON:-python3}
work=${WORK:-$PWD/compare-builds}
[[ -x $bench ]] || die "no program '$bench': set TARE to a checkout of tare, or BENCH to its bench"
command -v "$python" >/dev/null || die "no interpreter '$python': set PYTHON"
mkdir -p "$work"
work=$(cd "$work" && pwd)

# commit_of SIDE: the commit, where git knows one by this name in the current folder.
commit_of() { git rev-parse --verify --quiet --end-of-options "$1^{commit}" 2>/dev/null; }

# install NAME SIDE: $work/NAME holds it. Nothing of an earlier call is kept; pip's own cache makes that cheap.
install() {
    local name=$1 side=$2 commit log=$work/$1.log build=()
    local pip=("$work/$name/bin/python" -m pip install --disable-pip-version-check)
    printf 'compare-builds: %s: installing %s\n' "$name" "$side" >&2
    rm -rf "${work:?}/$name" "$work/$name.source"
    "$python" -m venv "$work/$name" >"$log" 2>&1 || fail "$name" "$side" "$log"
    if [[ ${REQUIREMENTS:-} ]]; then
        "${pip[@]}" --requirement "$REQUIREMENTS" >>"$log" 2>&1 || fail "$name" "$REQUIREMENTS" "$log"
    fi
    if commit=$(commit_of "$side"); then
        # a clone, not a copy of the working tree: submodules, no leftovers of another build, versions from git's tags
        read -ra build <<<"${BUILD_OPTIONS:-}"
        {
            git clone --quiet --no-checkout "$(git rev-parse --show-toplevel)" "$work/$name.source" &&
                git -C "$work/$name.source" checkout --quiet --detach "$commit" &&
                git -C "$work/$name.source" submodule update --quiet --init --recursive &&
                "${pip[@]}" "${build[@]}" "$work/$name.source"
        } >>"$log" 2>&1 || fail "$name" "$side" "$log"
    else
        "${pip[@]}" "$side" >>"$log" 2>&1 || fail "$name" "$side" "$log"
    fi
}

fail() {
    tail -n 40 "$3" >&2
    die "$1: cannot install '$2', which is neither a commit here nor a requirement that pip can satisfy (log: $3)"
}

rm -f "$work/summary.md" "$work/duet.json" # of an earlier call
install base "$base"
install head "$head"

status=0
"$bench" duet --a "$work/base" --b "$work/head" --gate --summary "$work/summary.md" --out "$work/duet.json" "$@" || status=$?
case $status in
    0) verdict="no case of '$head' is proven slower than '$base'" ;;
    1) verdict="'$head' is slower than '$base'" ;;
    3) verdict='inconclusive' ;;
    4) verdict='some cases failed' ;;
    *) verdict="bench ended with status $status" ;;
esac
printf 'compare-builds: %s (%s, %s)\n' "$verdict" "$work/summary.md" "$work/duet.json" >&2
exit "$status"
