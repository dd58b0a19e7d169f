#!/bin/sh
# noexec_tmp.sh COMMAND...: runs it where no program may be started in /tmp, by a mount that ends with it. Only for root.
# shellcheck disable=SC2016 # expanded by the shell within
exec unshare --mount sh -ec 'mount -t tmpfs -o noexec tmpfs /tmp; unset TMPDIR; exec "$@"' sh "$@"
