# shellcheck shell=bash
# What the scripts of ci/ share, sourced by them: install what is missing, make the Python environments, configure, build.
# Speaks on stderr only; what the tools print goes to .cache/log. Each step keeps the text it was made from as a stamp,
# so that a second call compares four small files and asks ninja: under 0.1 s.

set -o pipefail # build() reads ninja's status through a pipe

root=$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")
python=/usr/bin/python3       # Debian's own: PATH may find another first
tool_path=/usr/bin:/bin:$PATH # likewise its compiler, cmake and formatters
logs=$root/.cache/log
# What an active environment of conda, modules of a cluster or a user's settings of pip would put in place of what is asked
# for here.
unset CPATH C_INCLUDE_PATH CPLUS_INCLUDE_PATH LIBRARY_PATH CMAKE_PREFIX_PATH CMAKE_TOOLCHAIN_FILE
unset CC CXX CFLAGS CXXFLAGS CPPFLAGS LDFLAGS PIP_USER PIP_TARGET PIP_PREFIX

say() { printf 'ci: %s\n' "$*" >&2; }
die() {
    say "$*"
    exit 2
}

# is_stamped FILE TEXT: did the step that wrote FILE start from this very TEXT?
is_stamped() { [[ -f $1 && $(<"$1") == "$2" ]]; }

# logged NAME COMMAND...: the command's output goes to .cache/log/NAME.log, whose end is shown if it fails.
logged() {
    local log=$logs/$1.log status=0
    shift
    mkdir -p "$logs"
    "$@" >"$log" 2>&1 </dev/null || status=$?
    ((status == 0)) && return
    tail -n 60 "$log" >&2
    die "failed with status $status: $1 (all of its output: $log)"
}

# locked COMMAND...: one set-up or release build at a time in this tree, and one build of each other preset: an hour with
# sanitizers keeps nobody from measuring. Nothing that lasts runs under the lock.
locked() {
    local lock file=$root/.cache/lock
    [[ $1 != build || $2 == release ]] || file+=-$2
    mkdir -p "$root/.cache"
    exec {lock}>"$file"
    if ! flock --nonblock "$lock"; then
        say "waiting for another ci script that is setting up $root"
        flock "$lock"
    fi
    "$@"
    exec {lock}>&-
}

packages_state() {
    sha256sum "$@"
    stat --format '%Y %s' /var/lib/dpkg/status
}

missing_packages() {
    comm -23 <(sed 's/ *#.*//; /^$/d' "$@" | sort -u) \
        <(dpkg-query --show --showformat '${db:Status-Abbrev}${Package}\n' | sed -n 's/^ii *//p' | sort -u)
}

can_become_root() {
    [[ $EUID == 0 ]] && return
    command -v sudo >/dev/null || return
    sudo --non-interactive true 2>/dev/null || { [[ -t 2 ]] && sudo --validate; }
}

apt_get() {
    local command=(env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=300 -o Acquire::Retries=3 "$@")
    if [[ $EUID == 0 ]]; then "${command[@]}"; else sudo "${command[@]}"; fi
}
fetch_packages() { apt_get update && apt_get install --no-install-recommends "$@"; }
fetch_packages_with_one_retry() { fetch_packages "$@" || { sleep 5 && fetch_packages "$@"; }; }

# install_packages LIST...: the Debian packages named in these files of ci/. Looks again when dpkg's state has changed.
install_packages() {
    local lists=("${@/#/$root/ci/}") stamp=$root/.cache/packages-$# missing start=$SECONDS
    [[ -f /var/lib/dpkg/status ]] || die "no dpkg here: on Debian 12 this script installs $(cut -d' ' -f1 "${lists[@]}" | xargs)"
    is_stamped "$stamp" "$(packages_state "${lists[@]}")" && return
    mapfile -t missing < <(missing_packages "${lists[@]}")
    if ((${#missing[@]})); then
        can_become_root || die "neither root nor able to sudo; as root, run: apt-get install --no-install-recommends ${missing[*]}"
        say "installing ${#missing[@]} Debian packages: ${missing[*]}"
        logged apt fetch_packages_with_one_retry "${missing[@]}"
        say "installed them in $((SECONDS - start)) s"
    fi
    packages_state "${lists[@]}" >"$stamp"
}

# environment DIR REQUIREMENTS [VENV OPTIONS...]: a virtual environment of Debian's Python that holds what the file pins.
environment() {
    local directory=$1 requirements=$2 interpreter text start=$SECONDS
    shift 2
    interpreter=$(stat --dereference --format '%n %s %Y' "$python")
    text="$interpreter $(<"$requirements")"
    is_stamped "$directory/.holds-${requirements##*/}" "$text" && return
    say "installing into ${directory#"$root/"}: $(sed 's/ *#.*//; /^$/d' "$requirements" | xargs)"
    if ! is_stamped "$directory/.made-by" "$interpreter"; then
        logged "venv-${directory##*/}" "$python" -m venv --clear "$@" "$directory"
        printf '%s\n' "$interpreter" >"$directory/.made-by"
    fi
    # wheels only: the subject is what users get, and nothing compiles behind our back
    logged "pip-${directory##*/}" "$root/.tools/bin/python" -m pip --python "$directory/bin/python" \
        install --only-binary :all: --requirement "$requirements"
    printf '%s\n' "$text" >"$directory/.holds-${requirements##*/}"
    say "installed in $((SECONDS - start)) s"
}

# set_up LIST...: these packages; .tools for the build and, where packages of the tests are asked for, for the tests too;
# and .venv, the subject that ci/bench measures: NumPy and nothing else, not even pip.
set_up() {
    set_up_build "$@"
    set_up_run "$@"
}
set_up_build() {
    install_packages "$@"
    environment "$root/.tools" "$root/ci/requirements-build.txt"
}
set_up_run() {
    (($# == 1)) || environment "$root/.tools" "$root/ci/requirements-test.txt"
    environment "$root/.venv" "$root/ci/requirements-subject.txt" --without-pip
}

# set_up_and_build TARGET LIST...: as set_up and build release TARGET; what only runs need is installed beside the build.
set_up_and_build() {
    local target=$1 environments status=0
    shift
    set_up_build "$@"
    set_up_run "$@" &
    environments=$!
    (build release "$target") || status=$?
    wait "$environments" || status=$?
    ((status == 0)) || exit "$status"
}

# configure PRESET: for the interpreters of TARE_PYTHONS (;-separated) and Debian's, if the options of build/PRESET changed
# (a changed CMakeLists.txt ninja sees itself).
configure() {
    local directory=$root/build/$1 pythons=${TARE_PYTHONS:-$python} text
    [[ ";$pythons;" == *";$python;"* ]] || pythons+=";$python" # the subject of ci/bench always has its worker
    local options=("-DTARE_PYTHON_TOOLS=$root/.tools/bin/python" "-DTARE_PYTHONS=$pythons")
    text="$root ${options[*]} $(<"$root/CMakePresets.json")"
    is_stamped "$directory/.configured-with" "$text" && return
    say "configuring build/$1"
    logged "configure-$1" env PATH="$tool_path" cmake --fresh --preset "$1" "${options[@]}" -S "$root"
    printf '%s\n' "$text" >"$directory/.configured-with"
}

# time_left SECONDS DONE TOTAL: as the steps so far went, in words.
time_left() {
    local left=$(($1 * ($3 - $2) / $2))
    if ((left >= 90)); then printf 'about %d min left' "$(((left + 30) / 60))"; else printf 'about %d s left' "$left"; fi
}

# show_steps LOG: copies ninja's output to the log; says on a terminal how far it is, elsewhere once a minute.
show_steps() {
    local line start=$SECONDS said=$SECONDS text='' terminal=''
    [[ ! -t 2 ]] || terminal=yes
    while IFS= read -r line; do
        printf '%s\n' "$line"
        [[ $line =~ ^\[([0-9]+)/([0-9]+)\] ]] || continue
        text="${BASH_REMATCH[1]} of ${BASH_REMATCH[2]} steps built"
        # the first steps say nothing of the others
        ((SECONDS - start < 10)) || text+=", $(time_left $((SECONDS - start)) "${BASH_REMATCH[1]}" "${BASH_REMATCH[2]}")"
        if [[ $terminal ]]; then
            printf '\r\033[Kci: %s' "$text" >&2
        elif ((SECONDS - said >= 60)); then
            said=$SECONDS
            say "$text"
        fi
    done >"$1"
    [[ ! $terminal || ! $text ]] || printf '\r\033[K' >&2
}

# build PRESET TARGET: configures, then builds.
build() {
    local start=$SECONDS log=$logs/build-$1.log status=0
    configure "$1"
    [[ -f $root/build/$1/.ninja_log ]] ||
        say "building build/$1 (takes minutes the first time; log: ${log#"$PWD/"})"
    mkdir -p "$logs"
    env PATH="$tool_path" NINJA_STATUS='[%f/%t] ' ninja -C "$root/build/$1" "$2" 2>&1 </dev/null | show_steps "$log" || status=$?
    if ((status != 0)); then
        tail -n 60 "$log" >&2
        die "the build failed (all of its output: $log)"
    fi
    ((SECONDS - start < 2)) || say "built $2 in build/$1 in $((SECONDS - start)) s"
}

# Tests start programs that they write: where the temporary folder allows none, theirs lie beside the build.
choose_temporary_folder() {
    local program status=0
    program=$(mktemp) && chmod +x "$program" && "$program" 2>/dev/null || status=$?
    rm -f "$program"
    ((status != 0)) || return 0
    export TMPDIR=$root/.cache/tmp
    mkdir -p "$TMPDIR"
    say "no program can be started in the temporary folder: tests use $TMPDIR"
}
