"""The studio's page as somebody uses it, by mouse and by keys."""

import json


class StudioPage:
    """Opens the page, and waits after each step until it shows."""

    def __init__(self, browser, address):
        self._browser = browser
        self.evaluate, self.wait_for, self.click = (
            browser.evaluate,
            browser.wait_for,
            browser.click,
        )
        browser.open("about:blank")
        browser.open(address)
        self.wait_for("document.getElementById('lead').textContent.includes('variable')")

    def go(self, step):
        self.click(f"#tab-{step}")

    def text(self, selector):
        return self.evaluate(f"document.querySelector({selector!r})?.textContent ?? ''")

    def value(self, selector):
        return self.evaluate(f"document.querySelector({selector!r}).value")

    def wait_for_text(self, selector, text):
        found = f"document.querySelector({selector!r})?.textContent.includes({json.dumps(text)})"
        self.wait_for(found)

    def set(self, selector, value):
        """Give a field a value, as typing or choosing does."""
        self.evaluate(
            f"(() => {{ const field = document.querySelector({selector!r}); "
            f"field.value = {json.dumps(value)}; "
            "for (const kind of ['input', 'change']) "
            "field.dispatchEvent(new Event(kind, {bubbles: true})); })()"
        )

    def choose(self, selector, option):
        options = f"[...document.querySelector({selector!r}).options].map((o) => o.value)"
        self.wait_for(f"{options}.includes({json.dumps(option)})")
        self.set(selector, option)

    def press_button(self, label):
        self.wait_for(f"document.querySelector('button[aria-label={json.dumps(label)}]') !== null")
        self.click(f"button[aria-label={json.dumps(label)}]")

    def move_chip(self, name, key):
        self.evaluate(f"document.querySelector('[data-key=\"chip {name}\"]').focus()")
        self._browser.press(key)

    def fill_in(self, x, relation, y, percent):
        for selector, value in (("#x", x), ("#relation", relation), ("#y", y)):
            self.choose(selector, value)
        self.set("#chance-number", str(percent))

    def state_belief(self, x, relation, y, percent):
        """Add a belief, and wait until it is in the list and was read."""
        self.fill_in(x, relation, y, percent)
        count = int(self.evaluate("document.querySelectorAll('#list tbody tr').length"))
        self.click("#editor button.main")
        self.wait_for(f"document.querySelectorAll('#list tbody tr').length > {count}")
        self.wait_for("!document.getElementById('standing').textContent.startsWith('Reading')")

    def conflicts(self):
        items = "[...document.querySelectorAll('#conflicts li')].map((item) => item.textContent)"
        return self.evaluate(items)

    def wait_for_conflicts(self, count):
        self.wait_for(f"document.querySelectorAll('#conflicts li').length === {count}")
        return self.conflicts()

    def column(self, table, number):
        cells = f"{table} tbody tr td:nth-child({number})"
        found = f"[...document.querySelectorAll({cells!r})]"
        return self.evaluate(f"{found}.map((cell) => cell.textContent)")

    def drag_arrow(self, x, y):
        """Drag with the mouse from one variable of the graph to another."""
        self.wait_for("document.querySelector('.canvas').cy?.nodes().length > 0")
        self._browser.wait_for_frames()
        places = [self._place_of(name) for name in (x, y)]
        middle = [(a + b) / 2 for a, b in zip(*places, strict=True)]
        self._browser.mouse("mouseMoved", *places[0])
        self._browser.mouse("mousePressed", *places[0], button="left", clickCount=1)
        for spot in (middle, places[1]):
            self._browser.mouse("mouseMoved", *spot, button="left", buttons=1)
        self._browser.mouse("mouseReleased", *places[1], button="left", clickCount=1)

    def _place_of(self, name):
        return self.evaluate(
            "(() => { const canvas = document.querySelector('.canvas'); "
            "const box = canvas.getBoundingClientRect(); "
            f"const isIt = (node) => node.data('name') === {json.dumps(name)}; "
            "const at = canvas.cy.nodes().filter(isIt).renderedPosition(); "
            "return [box.x + at.x, box.y + at.y]; })()"
        )

    def complaints(self):
        """What the browser complains of, besides changes that were refused on purpose."""
        return [c for c in self._browser.complaints if "409" not in json.dumps(c)]
