"""The environment that a test starts programs in: a few variables, stated here, whatever the test itself inherits.

Kept from outside is what says where the tests are to look (TARE_*), where temporary files go, and how package
registries are reached.
"""

import re
from collections.abc import Mapping

MADE = {"PATH": "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", "LANG": "C.UTF-8", "TERM": "dumb"}
KEPT = re.compile(
    r"TARE_(BENCH|PYTHONS|ENVIRONMENTS|SCREENSHOTS|(TEST|SYMBOL|GENERATOR|NUMBA|PEERS|READERS|USERS)_PYTHONS?)"
    r"|TMPDIR"
    r"|PIP_(INDEX_URL|EXTRA_INDEX_URL|FIND_LINKS|TRUSTED_HOST|CERT|DEFAULT_TIMEOUT|RETRIES)"
    r"|(https?|no|HTTPS?|NO)_(proxy|PROXY)|(SSL_CERT|REQUESTS_CA)_[A-Z]+|(ASAN|LSAN|UBSAN)_OPTIONS"
)
WITH_SANITIZERS = ("LD_PRELOAD", "PYTHONMALLOC")  # their runtime, and an allocator that it sees


def made_environment(inherited: Mapping[str, str], home: str) -> dict[str, str]:
    """`home` is what programs take for the user's folder: theirs has settings, and packages, of its own."""
    kept = {name: text for name, text in inherited.items() if KEPT.fullmatch(name)}
    if "ASAN_OPTIONS" in inherited:
        kept |= {name: inherited[name] for name in WITH_SANITIZERS if name in inherited}
    return kept | MADE | {"HOME": home}
