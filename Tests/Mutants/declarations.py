"""Finds the declarations of Swift sources, and places in them."""
import re

# The start of a string, or a whole line comment or regular expression, or the start of a block comment.
NOT_CODE = re.compile(r'//.*|/\*|(#*)("""|")|(?<=[\s(])/(?![\s/*)=])(?:\\.|[^\\/\n])+/')
# A bracket, or the keywords and the name of a declaration. After a period, a keyword is a member, such as `self.init`.
TOKEN = re.compile(
    r"[{}()\[\]]|(?<![\w.`])(?:"
    r"(?P<keyword>class|struct|enum|extension|protocol|actor)\s+(?!(?:func|var|let|init|subscript)\b)(?P<type>[\w.]+|\[[\w.: ]+\])"
    r"|func\s+`?(?P<function>\w+|[^\s\w(`]+)|(?:var|let)\s+\(?`?(?P<property>\w+)|(?P<special>init|subscript|deinit)\b)")


def declarations(source):
    """Returns the types and members of a source as (name, start, end).

    The name of a member follows that of its type, as in `Stack.push`; overloads have the same name. A declaration ends
    where the next one of its type begins. The content of functions is not searched for declarations.
    """
    code, found = masked(source), []
    # The open braces: the prefix of the names in it (None in functions), its open parentheses, its last declaration.
    scopes, type_name = [dict(prefix="", parentheses=0, last=None)], None

    def begin(scope, name, place):
        end(scope, place)
        scope["last"] = [name, place, len(code)]
        found.append(scope["last"])

    def end(scope, place):
        if scope["last"]:
            scope["last"][2] = place

    for match in TOKEN.finditer(code):
        token, scope = match.group(), scopes[-1]
        if token in ("(", "["):
            scope["parentheses"] += 1
        elif token in (")", "]"):
            scope["parentheses"] -= 1
        elif token == "{":
            scopes.append(dict(prefix=type_name and type_name + ".", parentheses=0, last=None))
            type_name = None
        elif token == "}":
            end(scopes.pop(), match.start())
            if not scopes:
                break
        elif scope["prefix"] is not None and scope["parentheses"] == 0:
            name = scope["prefix"] + next(filter(None, match.group("type", "function", "property", "special")))
            type_name = name if match["keyword"] else None
            # The modifiers belong to the declaration. Several declarations may be on one line.
            line = code.rfind("\n", 0, match.start()) + 1
            modifiers = re.search(r"[^{};]*$", code[line:match.start()]).start()
            begin(scope, name, line + modifiers)
    if len(scopes) != 1:
        raise ValueError("The braces are not balanced.")
    return [tuple(declaration) for declaration in found]


def masked(source):
    """Returns the source with spaces in the place of comments, strings and regular expressions."""
    parts, place = [], 0
    while match := NOT_CODE.search(source, place):
        end = end_of_text(source, match)
        parts += [source[place:match.start()], re.sub(r"[^\n]", " ", source[match.start():end])]
        place = end
    return "".join(parts) + source[place:]


def end_of_text(source, match):
    """Returns the end of what begins with a match of NOT_CODE."""
    hashes, quotes = match.groups()
    if match.group() == "/*":
        return end_of_nest(source, match.end(), re.compile(r"(/\*)|(\*/)"))
    if not quotes:
        return match.end()
    place = match.end()
    stop = re.compile(rf"{quotes}{hashes}|\\{hashes}(\(|.)", re.DOTALL)
    while found := stop.search(source, place):
        if found.group(1) is None:
            return found.end()
        place = found.end()
        if found.group(1) == "(":
            place = end_of_nest(source, place, re.compile(rf"(\()|(\))|{NOT_CODE.pattern}"))
    return len(source)


def end_of_nest(source, place, brackets):
    """Returns the end of a block comment or of an interpolation, which contain others of their kind and strings."""
    depth = 1
    while depth > 0 and (match := brackets.search(source, place)):
        place = match.end()
        if match.group(1):
            depth += 1
        elif match.group(2):
            depth -= 1
        else:
            place = end_of_text(source, NOT_CODE.match(source, match.start()))
    return place


def pattern(text):
    """Returns a regular expression for a text. Line breaks, spaces and commas before closing brackets may differ."""
    tokens = re.findall(r"\w+|[^\w\s]", re.sub(r",(?=\s*[)\]])", "", text))
    expression = r"(?<!\w)" if re.match(r"\w", tokens[0]) else ""
    for token, following in zip(tokens, tokens[1:] + [""]):
        expression += re.escape(token)
        if re.match(r"\w\w", token[-1] + following[:1]):
            expression += r"\s+"
        elif following:
            expression += r"\s*,?\s*" if following in ")]" else r"\s*"
    return re.compile(expression + (r"(?!\w)" if re.match(r"\w", tokens[-1]) else ""))
