# Parquet and Arrow's IPC stream: the rows of any result as a table, by pyarrow, with the record's origin as metadata.
from __future__ import annotations

import json
from pathlib import Path

from tare.api.program import Error
from tare.api.table import Result


def write_table(result: Result, path: Path, parquet: bool) -> list[str]:
    """Errors: Error without pyarrow."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise Error("pyarrow writes Parquet and Arrow, and it is not installed: pip install pyarrow") from None
    table = result.to_arrow()
    context = result.to_dict().get("context", {}).get("tare", {})
    facts = {key: context.get(key) for key in ("date", "host_name", "cpu_model", "fingerprint", "host")}
    table = table.replace_schema_metadata({"tare": json.dumps(facts)})
    if parquet:
        pyarrow.parquet.write_table(table, path)
    else:
        with pyarrow.ipc.new_stream(str(path), table.schema) as stream:
            stream.write_table(table)
    return ["the rows are kept; the batches behind them stay in the record"]
