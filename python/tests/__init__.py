# Tests of the package `tare`, with the standard library's unittest, in the subject's interpreter:
#   python -m unittest discover -s python/tests -t python
