# `python -m tare` is the command `bench`.
from tare._command import main

main()
