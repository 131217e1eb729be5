"""A user of a browser: their actions, and the content of the page that they see."""
import atexit, functools, os, time
from selenium import webdriver
from selenium.common.exceptions import NoSuchElementException, StaleElementReferenceException, WebDriverException
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select
from service import SERVICE

# Seconds.
TIMEOUT = 30
# The buttons of the screen, without the one that hands the session over.
BUTTONS = "button:not(.hand-over button)"


@functools.cache
def browser(javascript):
    """Returns the browser that all tests of a process share."""
    options = webdriver.ChromeOptions()
    for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--window-size=480,900"):
        options.add_argument(argument)
    options.add_experimental_option(
        "prefs", {"profile.managed_default_content_settings.javascript": 1 if javascript else 2})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService("/usr/bin/chromedriver"))
    driver.set_page_load_timeout(20)
    atexit.register(driver.quit)
    return driver


class User:
    """A user of the pages of one session."""

    def __init__(self, javascript):
        self.driver = browser(javascript)

    # Actions

    def start(self, app, **values):
        self.driver.get(SERVICE.address + "/")
        for label, text in values.items():
            self.fill(label.replace("_", " "), text)
        self.press(f"Start {app}")
        eventually(lambda: "/v1/sessions/" in self.driver.current_url)
        self.session = self.driver.current_url.removeprefix(SERVICE.address)

    def press(self, label):
        """Presses a button, and waits until the browser replaces the page. The next page may look the same."""
        button = eventually(lambda: self.click(label))
        eventually(lambda: is_gone(button))

    def click(self, label):
        button = self.button(label)
        button.click()
        return button

    def fill(self, label, text):
        field = eventually(lambda: self.field(label))
        if field.tag_name == "select":
            Select(field).select_by_visible_text(text)
        elif field.get_attribute("type") == "checkbox":
            if field.is_selected() != text:
                field.click()
        else:
            field.clear()
            field.send_keys(text)

    def key(self, *keys):
        webdriver.ActionChains(self.driver).send_keys(*keys).perform()

    def tab_to(self, label):
        """Moves the focus to a button or a field with the Tab key alone."""
        for _ in range(60):
            self.key(Keys.TAB)
            if label in (self.focus, self.label_of(self.driver.switch_to.active_element)):
                return
        raise AssertionError(f"The Tab key does not reach {label}.")

    # Content of the page

    def button(self, label):
        buttons = self.buttons
        if label not in buttons:
            raise AssertionError(f"There is no button {label}: {buttons}")
        return self.driver.find_elements(By.CSS_SELECTOR, BUTTONS)[buttons.index(label)]

    def field(self, label):
        labels = [without_marks(text) for text in self.all("label")]
        if label not in labels:
            raise AssertionError(f"There is no field {label}: {labels}")
        element = self.driver.find_elements(By.TAG_NAME, "label")[labels.index(label)]
        target = element.get_attribute("for")
        return self.driver.find_element(By.ID, target) if target else element.find_element(By.TAG_NAME, "input")

    def label_of(self, element):
        found = self.all(f"label[for='{element.get_attribute('id')}']")
        return without_marks(found[0]) if found else None

    def all(self, selector):
        """Returns the texts of elements, including those for screen readers alone. The driver can run scripts even if
        JavaScript is disabled."""
        return self.driver.execute_script(
            "return Array.from("
            "document.querySelectorAll(arguments[0]), e => e.textContent.replace(/\\s+/g, ' ').trim())", selector)

    @property
    def title(self):
        return " ".join(self.all("h1"))

    @property
    def buttons(self):
        return self.all(BUTTONS)

    def offer_to_another_device(self):
        """Presses the button that hands the session over, and returns the link."""
        self.driver.find_element(By.CSS_SELECTOR, ".hand-over button").click()
        return eventually(lambda: self.driver.find_element(By.ID, "link").get_attribute("value"))

    @property
    def tabs(self):
        return self.all("nav button")

    @property
    def selected_tab(self):
        return " ".join(self.all("nav button[aria-current]"))

    @property
    def prompt(self):
        return " ".join(self.all("[role=alertdialog] h2")) or None

    @property
    def alert(self):
        return " ".join(self.all("[role=alert]"))

    @property
    def facts(self):
        return dict(zip(self.all(".screen dt"), self.all(".screen dd")))

    @property
    def items(self):
        return self.all(".screen .items > li")

    @property
    def focus(self):
        return self.driver.execute_script("return document.activeElement.textContent.replace(/\\s+/g, ' ').trim()")

    @property
    def text(self):
        return self.driver.find_element(By.TAG_NAME, "main").text

    # The same session in the API

    @property
    def view(self):
        return SERVICE.request("GET", self.session)

    @property
    def data(self):
        return self.view["screen"]["data"]

    @property
    def revision(self):
        return self.view["session"]["revision"]

    @property
    def stack(self):
        return [entry["name"] for entry in self.view["navigation"]["stack"]]

    @property
    def tree(self):
        """The coordinator tree in one line, such as `first > second`, with siblings in brackets."""
        def line(node):
            below = [line(child) for child in node["children"]]
            return node["name"] + (f" > {below[0]}" if len(below) == 1 else f" > [{', '.join(below)}]" if below else "")
        return line(SERVICE.request("GET", self.session + "/tree")["root"])

    def take_screenshot(self, name):
        if folder := os.environ.get("BROWSER_SHOTS"):
            self.driver.save_screenshot(os.path.join(folder, f"{name}.png"))


def without_marks(label):
    return label.removesuffix(" (optional)").removesuffix(" (if it applies)")


def is_gone(element):
    """Returns whether the page of the element was replaced."""
    try:
        element.is_enabled()
    except StaleElementReferenceException:
        return True


def eventually(check, seconds=TIMEOUT):
    """Returns the result of `check` as soon as it is true, because a page may still be loading."""
    end = time.monotonic() + seconds
    while True:
        try:
            if result := check():
                return result
        except (NoSuchElementException, StaleElementReferenceException, AssertionError, WebDriverException):
            if time.monotonic() > end:
                raise
        if time.monotonic() > end:
            return result
        time.sleep(0.02)
