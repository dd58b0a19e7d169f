"""Opens a flame graph in headless Chromium and uses it: flame_graph_in_browser.py SVG FUNCTION PNG. Clicks the widest
frame of that name, resets, searches; prints what it saw as JSON and keeps a picture of the search. Needs selenium.
"""

import json
import sys
from pathlib import Path

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys


def use(browser, name):
    """What the picture shows before, zoomed, reset and searched."""

    def frames():
        return browser.find_elements(By.CSS_SELECTOR, "g.frame")

    def width(frame):
        return float(frame.find_element(By.TAG_NAME, "rect").get_attribute("width"))

    def hidden():
        return browser.execute_script(
            "return [...document.querySelectorAll('g.frame')].filter(g => g.style.display === 'none').length"
        )

    def matches():
        return len(browser.find_elements(By.CSS_SELECTOR, "g.match"))

    def title(frame):
        return frame.find_element(By.TAG_NAME, "title").get_attribute("textContent").split("\n")[0]

    all_frames = frames()
    root = all_frames[0]
    target = max((frame for frame in all_frames if title(frame).startswith(name)), key=width)
    seen = {"frames": len(all_frames), "width_root": width(root), "width_before": width(target)}
    target.find_element(By.TAG_NAME, "rect").click()
    seen |= {"width_zoomed": width(target), "hidden_zoomed": hidden()}
    browser.find_element(By.CSS_SELECTOR, ".reset").click()
    seen |= {"width_reset": width(target), "hidden_reset": hidden()}
    browser.find_element(By.CSS_SELECTOR, ".find").click()
    box = browser.find_element(By.CSS_SELECTOR, ".search input")
    box.send_keys(name)
    seen |= {"matches": matches(), "found": browser.find_element(By.CSS_SELECTOR, ".found").text}
    browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", target)
    return seen, box, matches


def main(svg, name, picture):
    options = webdriver.ChromeOptions()
    for argument in ("--headless=new", "--no-sandbox", "--window-size=1250,900", "--disable-gpu"):
        options.add_argument(argument)
    options.binary_location = "/usr/bin/chromium"
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    browser = webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))
    try:
        browser.get(Path(svg).absolute().as_uri())
        seen, box, matches = use(browser, name)
        browser.save_screenshot(picture)
        box.send_keys(Keys.ESCAPE)
        seen["matches_closed"] = matches()
        seen["console"] = [entry["message"] for entry in browser.get_log("browser")]
    finally:
        browser.quit()
    print(json.dumps(seen))


if __name__ == "__main__":
    main(*sys.argv[1:])
