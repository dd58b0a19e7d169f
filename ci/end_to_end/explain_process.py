# Runs `bench explain` and reads the ledgers it prints as JSON. Instructions are exact, so tests compare them.
import json

from bench_process import BenchTest

CASES = {
    "float": "add[kind=float]",
    "float64": "add[kind=float64,dtype=f8]",
    "0d": "add[kind=0d,dtype=f8]",
    "array": "add[kind=array,dtype=f8,n=8]",
}
BOOKKEEPING = 0.001  # shares are of thousands of instructions


class ExplainTest(BenchTest):
    def explain(self, *arguments, code=0, environment=None):
        """The ledgers by case, and the problems by case."""
        ran = self.bench("explain", *arguments, "--no-timing", "--format", "json", code=code, environment=environment)
        told = json.loads(ran.out)
        for ledger in told["ledgers"]:
            self.assert_adds_up(ledger)
        problems = {p["case"]: f"{p['error']['what']} | {p['error']['hint']}" for p in told["problems"]}
        return {ledger["case"]: ledger for ledger in told["ledgers"]}, problems

    def assert_adds_up(self, ledger):
        """Modules, layers, functions and the call tree are four views of the same instructions."""
        total = ledger["total"]["value"]
        self.assertGreater(total, 0)
        for part in ("modules", "layers", "functions"):
            self.assertEqual(sum(item["self"]["value"] for item in ledger[part]), total, part)
        self.assertEqual(sum(node["self"] for node in ledger["nodes"]), total, "nodes")
        self.assertLessEqual(ledger["total"]["lowest"], total)
        self.assertEqual(ledger["total"]["lowest"], total, "the layout described is the one with the fewest")
        self.assertEqual(ledger["warnings"], [])

    def layer(self, ledger, name):
        return next((layer["self"]["value"] for layer in ledger["layers"] if layer["name"] == name), 0)

    def routes(self, ledger):
        return [" -> ".join(route["functions"]) for route in ledger["routes"]]
