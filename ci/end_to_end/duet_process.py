# What the tests of `bench duet` share: a suite of the user's own whose work the environment sets, verdicts by case.
import json

from bench_process import BenchTest

WORK = """# `count`: as many additions as $WORK says; `steady`: one, whatever it says
import os
from tare import operation

def additions(n):
    for _ in range(n):
        n + n

@operation('f(n)')
def count():
    return {'f': additions, 'n': int(os.environ.get('WORK', '10'))}

@operation('x + x')
def steady():
    return {'x': 1.5}
"""


def verdicts_of(outcome):
    """The record's verdicts by the case's name."""
    return {verdict["case"]: verdict for verdict in outcome.record["tare"]["verdicts"]}


def words_of(outcome):
    return {name: verdict["verdict"] for name, verdict in verdicts_of(outcome).items()}


class DuetTest(BenchTest):
    def work_suite(self):
        return self.suite("work", work=WORK)

    def replayed(self, record_path, code=0):
        """The verdicts that `bench compare --replay` computes from the samples."""
        ran = self.bench("compare", "--replay", record_path, "--format", "json", code=code)
        return {verdict["case"]: verdict for verdict in json.loads(ran.out)["verdicts"]}
