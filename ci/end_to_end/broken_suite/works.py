# The healthy neighbour of a file that cannot be imported.
from tare import operation


@operation("x + x")
def add_one():
    return {"x": 1.0}
