"""Checks generated inputs of generated forms, whose questions depend on each other, by the service and by their JSON
Schema. Each form is the second page of a journey, and its conditions read the answers of the first page, too."""
import json, os, sys, tempfile
import jsonschema
from usher import Client, Service

# The types of questions, each with values that are valid for most of them.
KINDS = {
    "choice": ('type: string, enum: [a, b, c]', ["a", "b", "c"]),
    "preset": ('type: string, enum: [a, b, c], default: b', ["a", "b", "c"]),
    "number": ('type: integer, minimum: 0, maximum: 9', [0, 3, 4, 5, 9, 4.0]),
    "box": ('type: boolean', [True, False]),
    "several": ('type: array, items: {type: string, enum: [a, b, c]}', [[], ["a"], ["c", "a"], ["b", "c"]]),
    "note": ('type: [string, "null"], maxLength: 3', ["ab", "a", " ab ", None]),
    "text": ('type: string, minLength: 1, maxLength: 3', ["ab", "abc", "a\n"])}
# Values that most fields refuse.
OTHERS = ["", "abcd", "x", 10, -1, 2.5, True, None, [], ["x"], ["a", "a"], {}, "4", 1]
KNOWN = [("known-choice", "choice"), ("known-number", "number"), ("known-several", "several"), ("known-note", "note")]
BATCH = 100


def test(name, kind, source):
    """Returns an expression that tests an answer."""
    letter, number = source.choice("abc"), source.randint(0, 9)
    if kind in ("choice", "preset"):
        return source.choice([
            f'{name} == "{letter}"', f'{name} != "{letter}"', f'{name} in ["a", "{letter}"]', f"{name} == null",
            f"{name} != null", f"{name} == knownChoice"])
    if kind == "number":
        operator = source.choice([">", ">=", "<", "<="])
        return source.choice([
            f"{name} != null && {name} {operator} {number}", f"{name} == null || {number} {operator} {name}",
            f"{name} == {number}", f"{name} != {number}", f"{name} in [{number}, 3, 4]",
            f"{name} != null && knownNumber != null && {name} {operator} knownNumber"])
    if kind == "box":
        return source.choice([f"{name} == true", f"{name} != null && {name}", f"{name} == null || !{name}"])
    if kind == "several":
        return source.choice([
            f'{name} != null && "{letter}" in {name}', f'{name} == null || !("{letter}" in {name})', f"{name} != null"])
    return source.choice([f'{name} == "ab"', f'{name} != "ab"', f"{name} == null", f"{name} != null"])


def condition(questions, costs, source, depth=2):
    """Returns an expression that combines tests of answers, and the most tests of its rule: a test of a question repeats
    the condition of that one."""
    form = source.choice(["test", "test", "and", "or", "not", "either"]) if depth else "test"
    if form == "test":
        name, kind = source.choice(questions)
        return test(name, kind, source), 3 * (1 + costs.get(name, 0))
    (a, first), (b, second), (c, third) = (condition(questions, costs, source, depth - 1) for _ in range(3))
    return {
        "and": (f"({a}) && ({b})", first + second), "or": (f"({a}) || ({b})", first + second), "not": (f"!({a})", first),
        "either": (f"({a}) ? ({b}) : ({c})", 2 * first + second + third)}[form]


class Form:
    def __init__(self, name, source):
        self.name, self.known = name, [(camel(name), kind) for name, kind in KNOWN]
        self.questions = [(f"q{number}", source.choice(list(KINDS))) for number in range(source.randint(2, 6))]
        self.conditions, costs = {}, {}
        for number, (name, _) in enumerate(self.questions[1:], 1):
            if source.random() < 0.8:
                earlier = self.questions[:number]
                # Most conditions read answers of the page.
                text, cost = condition(earlier * 2 + self.known, costs, source)
                # The schema has no rule with more tests than this.
                if cost <= 100:
                    self.conditions[name], costs[name] = text, cost

    @property
    def flow(self):
        lines = []
        for name, kind in self.known + self.questions:
            rule = f", when: '={self.conditions[name]}'" if name in self.conditions else ""
            lines.append(f"        {name}: {{{KINDS[kind][0]}{rule}}}\n")
        known, asked = (", ".join(name for name, _ in page) for page in (self.known, self.questions))
        return (
            f"usher: 1\napp: {self.name}\nroot: main\ncoordinators:\n  main:\n    journey:\n      questions:\n"
            + "".join(lines) + f"      pages: {{known: {{questions: [{known}]}}, form: {{questions: [{asked}]}}}}\n"
            "      done: [{setStack: [sent]}]\nscreens: {sent: {title: Sent}}\n")

    def input(self, source):
        members = {}
        for name, kind in self.questions:
            if source.random() < 0.8:
                value = source.choice(KINDS[kind][1] if source.random() < 0.85 else OTHERS)
                # The service takes null for an absent answer, which is the default here.
                if value is not None or kind != "preset":
                    members[name] = value
        return members

    def trimmed(self, members):
        """Returns the input that the service checks: texts without the white space around them."""
        kinds = dict(self.questions)
        return {
            name: value.strip(" \n") if isinstance(value, str) and kinds[name] in ("note", "text") else value
            for name, value in members.items()}


def camel(name):
    first, *rest = name.split("-")
    return first + "".join(part.capitalize() for part in rest)


def check_form(client, form, inputs, source):
    """Returns the rules of the schema, and the numbers of accepted and of refused inputs."""
    session = client.create_session(form.name)

    def post(step, members):
        status, text = client.request("POST", f"{session}/{step}", members)
        return status, json.loads(text)

    known = {name: source.choice(KINDS[kind][1]) for name, kind in form.known}
    status, view = post("actions/continue", known)
    assert status == 200, view
    if view["screen"]["name"] != "form":
        return 0, 0, 0
    schema = next(action for action in view["actions"] if action["name"] == "continue")["input"]
    validator = jsonschema.Draft202012Validator
    validator.check_schema(schema)
    rule, accepted = validator(schema), 0
    for _ in range(inputs):
        members = form.input(source)
        status, answer = post("actions/continue", members)
        if status not in (200, 422) or (status == 200) != rule.is_valid(form.trimmed(members)):
            sys.exit(
                f"The service and the schema disagree on {members!r} after {known!r}:\n{form.flow}\n{status} "
                f"{answer.get('errors')}\n{json.dumps(schema, indent=1)}")
        if status == 200:
            accepted += 1
            status, view = post("back", {})
            assert view["screen"]["name"] == "form", view
    return len(schema.get("allOf", [])), accepted, inputs - accepted


def check(forms, inputs, source):
    """Checks a number of forms, each with a number of inputs."""
    rules = accepted = refused = 0
    for start in range(0, forms, BATCH):
        batch = [Form(f"form-{number}", source) for number in range(start, min(start + BATCH, forms))]
        with tempfile.TemporaryDirectory() as folder:
            for form in batch:
                os.mkdir(f"{folder}/{form.name}")
                with open(f"{folder}/{form.name}/flow.yaml", "w") as file:
                    file.write(form.flow)
            service = Service("--flows", folder, errors=open(os.devnull, "w"))
            client = Client(service.port)
            for form in batch:
                found = check_form(client, form, inputs, source)
                rules, accepted, refused = (sum(pair) for pair in zip((rules, accepted, refused), found))
            client.close()
            service.stop()
    if min(rules, accepted, refused) < forms // 2:
        sys.exit(f"{forms} forms have {rules} rules, {accepted} accepted and {refused} refused inputs: too few.")
    print(f"{forms} forms with {rules} rules: {accepted} inputs are accepted, and {refused} refused")
