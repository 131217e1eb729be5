"""Tests of accessibility with axe, in both color schemes, and at the widths of a phone and a desktop."""
import glob, os, sys, unittest
from cases import Case

AXE = open(glob.glob(os.path.join(sys.prefix, "lib/python*/site-packages/axe_playwright_python/axe.min.js"))[0]).read()


@unittest.skipUnless(Case.javascript, "axe requires JavaScript")
class AxeCase(Case):
    def check(self, name):
        """Checks the current page, under a name for its screenshots."""
        driver = self.user.driver
        self.addCleanup(driver.set_window_size, 480, 900)
        self.addCleanup(driver.execute_cdp_cmd, "Emulation.setEmulatedMedia", {"features": []})
        for scheme, width in (("light", 480), ("dark", 1200)):
            features = [
                {"name": "prefers-color-scheme", "value": scheme},
                {"name": "prefers-reduced-motion", "value": "reduce"}]
            driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
            driver.set_window_size(width, 900)
            self.user.take_screenshot(f"{name}-{scheme}")
            driver.execute_script(AXE)
            violations = driver.execute_async_script(
                "axe.run({resultTypes: ['violations']}).then("
                "found => arguments[0](found.violations), error => arguments[0](String(error)))")
            self.assertEqual(violations, [], f"{name}, {scheme}")
            self.assertLessEqual(driver.execute_script("return document.documentElement.scrollWidth"), width, name)
