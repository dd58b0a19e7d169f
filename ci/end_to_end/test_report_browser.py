# `bench report` in a browser without a network: search, an operation, its change point, flame graph and samples, names
# that are markup, colours, the width of a phone, print. TARE_SCREENSHOTS names a folder for pictures.
import base64
import copy
import json
import os
import shutil
import time
import unittest
from pathlib import Path
from urllib.parse import quote

from bench_process import ADD, ROOT, BenchTest

try:
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys
except ImportError:
    webdriver = None

CHROMIUM = shutil.which("chromium")
DRIVER = shutil.which("chromedriver")
HOSTILE = "add[kind=<script>document.title='taken'</script>,n=\"8\" onload='x']"
WAIT_S = 60  # for a chart on a busy machine
SWITCHES = (
    "--headless=new",
    "--no-sandbox",  # the browser refuses to be root's with one
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--host-resolver-rules=MAP * ~NOTFOUND",
)


def renamed(value, old, new):
    """The same JSON with a text replaced wherever it stands."""
    if isinstance(value, dict):
        return {key: renamed(item, old, new) for key, item in value.items()}
    if isinstance(value, list):
        return [renamed(item, old, new) for item in value]
    return value.replace(old, new) if isinstance(value, str) else value


def slower(record, day, factor):
    """The record as one of another day, its times of Python multiplied."""
    copied = copy.deepcopy(record)
    for context in (copied["context"], copied["context"]["tare"]):
        context["date"] = f"2026-10-{day:02d}T12:00:00+00:00"
    for row in copied["benchmarks"]:
        ours = row["tare"]
        if ours.get("rung") in ("python", "call"):
            row["real_time"] *= factor
            ours["samples_ns"] = [round(factor * sample, 4) for sample in ours["samples_ns"]]
    for case in copied["tare"]["cases"]:  # what the index reads
        case.pop("quiet", None)  # were the machine busy now, its times would not be among the points
        for key in ("gross_ns", "gross_low_ns", "gross_high_ns", "call_ns", "call_low_ns", "call_high_ns"):
            if case.get(key) is not None:
                case[key] *= factor
    return copied


@unittest.skipIf(webdriver is None, "python3-selenium is missing: ci/apt-packages-full.txt")
@unittest.skipIf(CHROMIUM is None or DRIVER is None, "chromium or chromium-driver is missing: ci/apt-packages-full.txt")
class Report(BenchTest):
    page: Path | None = None  # one for all tests

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        options = webdriver.ChromeOptions()
        options.binary_location = CHROMIUM
        for switch in SWITCHES:
            options.add_argument(switch)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        cls.browser = webdriver.Chrome(options=options, service=Service(DRIVER))
        cls.addClassCleanup(cls.browser.quit)

    def setUp(self):
        super().setUp()
        if Report.page is None:
            Report.page = self.made_page()

    def made_page(self):
        """One real run as of 14 days, 40 % slower from the eighth on, and as one of names that are markup."""
        selected = r"^add\[kind=(float|array,dtype=f8,n=(1|8|64))\]"
        ran = self.bench("run", "--filter", selected, "--ledger", "--layouts", "2", "--quick", "--visit-budget", "0.05")
        record, records = ran.record, ran.record_path.parent
        for day in range(1, 15):
            text = json.dumps(slower(record, day, (1.4 if day > 7 else 1.0) * (1 + 0.002 * (day % 3))))
            (records / f"202610{day:02d}T120000Z-0000{day:04d}.json").write_text(text)
        hostile = renamed(slower(record, 20, 1.4), "add[kind=array,dtype=f8,n=64]", HOSTILE)
        (records / "20261020T120000Z-00000020.json").write_text(json.dumps(hostile))
        ran.record_path.unlink()
        self.bench("report", "-o", self.cache, "--by", "date")
        return self.cache / "tare-report.html"

    def go(self, address="", page=None):
        self.browser.get("about:blank")
        self.browser.get(f"file://{page or self.page}{address}")
        self.until("return document.documentElement.dataset.ready === 'yes'", "the page is not ready")

    def until(self, script, message):
        end = time.monotonic() + WAIT_S
        while time.monotonic() < end:
            if self.browser.execute_script(script):
                return
            time.sleep(0.1)
        self.fail(message)

    def drawn(self, id_):
        """Waits for the charts of a section to be drawn; what they hold as text."""
        element = self.browser.find_element(By.ID, id_)
        self.browser.execute_script("arguments[0].scrollIntoView()", element)
        self.until(
            f"const all = [...document.querySelectorAll('#{id_} .chart')];"
            "return all.length > 0 && all.every((each) => each.dataset.drawn && each.querySelector('svg'))",
            f"no chart in #{id_}",
        )
        return self.browser.execute_script("return arguments[0].textContent", element)

    def text(self, id_):
        return self.browser.execute_script("return document.getElementById(arguments[0]).textContent", id_)

    def picture(self, name, width=1440, height=1000):
        folder = os.environ.get("TARE_SCREENSHOTS")
        if not folder:
            return
        Path(folder).mkdir(parents=True, exist_ok=True)
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        time.sleep(1)
        shot = self.browser.execute_cdp_cmd("Page.captureScreenshot", {})
        Path(folder, f"{name}.png").write_bytes(base64.b64decode(shot["data"]))
        self.browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})

    def test_is_read_without_a_network_and_without_an_error(self):
        self.go()
        self.assertIn("change points", self.text("tiles"))
        self.drawn("landscape")
        self.picture("overview")
        search = self.browser.find_element(By.ID, "search")
        search.send_keys("array n=8")
        self.assertIn("1 case matches", self.text("found"))
        search.clear()
        search.send_keys("f8,n=8", Keys.ENTER)
        self.until("return !document.getElementById('operation').hidden", "no operation is shown")
        self.assertIn(ADD, self.text("case-title"))
        self.assertIn("break-even", self.drawn("rungs"))
        self.assertIn("+4", self.drawn("history"))
        self.assertEqual(len(self.browser.find_elements(By.CSS_SELECTOR, "#history .change")), 1)
        self.assertIn("argument_parsing", self.drawn("layers"))
        self.assertIn("argument_parsing", self.drawn("flame"))
        self.picture("operation", height=3600)
        slices = self.browser.find_elements(By.CSS_SELECTOR, "#flame .slice")
        self.assertGreater(len(slices), 10)
        self.browser.execute_script(
            "document.querySelectorAll('#flame .slice path')[1].dispatchEvent(new MouseEvent('click', {bubbles: true}))"
        )
        self.drawn("moved")
        self.browser.find_element(By.CSS_SELECTOR, "#samples summary").click()
        self.drawn("samples")
        self.assertIn("process 1", self.text("samples"))
        for theme in ("light", "dark"):
            self.browser.find_element(By.ID, "theme").click()
            self.picture(theme, height=3600)
        self.picture("phone", 400, 3600)
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
        self.picture("print", 900, 3000)
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
        self.check_silence()

    def test_shows_names_that_are_markup_as_text(self):
        self.go("#case=" + quote(HOSTILE))
        self.assertIn(HOSTILE, self.text("case-title"))
        for section in ("layers", "flame", "history"):
            self.drawn(section)
        self.assertNotEqual(self.browser.title, "taken")
        self.assertEqual(self.browser.find_elements(By.CSS_SELECTOR, "body script:not([id])")[1:], [])
        self.check_silence()

    def test_shows_the_releases_of_the_shipped_history_in_their_order(self):
        page = self.folder / "history.html"
        case = "add_at[kind=array,dtype=f8,n=8]"
        # a copy: what indexes a store writes beside its records
        shutil.copytree(ROOT / "results/history/records", self.folder / "history/records")
        self.bench("report", "--store", self.folder / "history", "-o", page, "--filter", "^add_at")
        self.go("#case=" + quote(case), page)
        self.drawn("history")
        labels = (
            "return [...document.querySelectorAll('#history .xtick')].map((tick) => tick.textContent).filter(Boolean)"
        )
        releases = [tuple(int(part) for part in text.split(".")) for text in self.browser.execute_script(labels)]
        self.assertGreater(len(releases), 5)
        self.assertEqual(releases, sorted(releases))
        self.assertIn("at 1.25.0", self.text("history"))
        self.check_silence()

    def test_shows_no_machine_of_a_run_beside_a_history_of_another_machine(self):
        foreign = {
            "context": {
                "date": "2026-10-30T12:00:00+00:00",
                "host_name": "box",
                "executable": "./parse",
                "num_cpus": 9,
            },
            "benchmarks": [
                {"name": "BM_parse", "run_type": "iteration", "iterations": 9, "real_time": 5.0, "time_unit": "ns"}
            ],
        }
        (self.folder / "foreign.json").write_text(json.dumps(foreign))
        self.bench("store", "import", self.folder / "foreign.json")
        self.bench("run", "--filter", r"^add\[kind=float\]", "--quick", "--visit-budget", "0.05")
        page = self.folder / "two.html"
        self.bench("report", "-o", page)
        self.go("#case=BM_parse", page)
        self.until("return document.getElementById('operation').hidden", "shown as a case of the run's machine")
        machines = "return [...document.getElementById('machine').options].map((each) => [each.text, each.value])"
        (box,) = (value for text, value in self.browser.execute_script(machines) if "box" in text)
        self.go(f"#case=BM_parse&machine={box}", page)
        self.assertIn("box", self.drawn("history"))
        self.assertIn("box", self.text("context"))
        self.assertNotIn("Processes", self.text("context"))
        self.check_silence()

    def test_says_so_where_a_link_leads_to_no_case(self):
        self.go("#case=" + quote("gone[n=1]"))
        self.assertIn("holds no case 'gone[n=1]'", self.text("notices"))
        self.check_silence()

    def check_silence(self):
        errors = [entry["message"] for entry in self.browser.get_log("browser") if entry["level"] != "DEBUG"]
        self.assertEqual(errors, [])
        asked = []
        for entry in self.browser.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                asked.append(message["params"]["request"]["url"])
        outside = [url for url in asked if not url.startswith(("file://", "data:", "blob:", "about:"))]
        self.assertEqual(outside, [])


if __name__ == "__main__":
    unittest.main()
