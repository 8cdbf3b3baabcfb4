#!/usr/bin/env python3
"""Makes XLSForms with openpyxl, and reads each with pyxform, the readers' own reference.

xlsforms.py FOLDER COUNT: writes FOLDER/1.xlsx ... and FOLDER/1.json ..., which has the items that
pyxform's reading comes to. The conditions are read again from pyxform's text, by a parser that has
nothing to do with ours.
"""
import datetime, json, random, re, sys
import openpyxl
from pyxform.xls2json import parse_file_to_json

LANGUAGES = ["English (en)", "Čeština (cs)"]
WORDS = ["Maize", "Fallow", "Třeň", '"New" roof', "a < b & c", "Höhe, in m", "سياج", "🌽 crop", "Stěna  x"]


def make(chance, rows, path):
    several = chance.random() < 0.5
    columns = lambda name: [f"{name}::{language}" for language in LANGUAGES] if several else [name]
    words = lambda: [f"{chance.choice(WORDS)} {chance.randint(1, 999)}" for _ in columns("x")]
    lists = {f"list{n}": [chance.choice([f"c{m}", m, f"{m}.5", f"x-{m}"]) for m in range(chance.randint(1, 9))]
             for n in range(1 + rows // 20)}
    head = ["type", "name", *columns("label"), *columns("hint"), "required", "relevant", "constraint", "appearance"]
    chance_heads = chance.random()
    shown = [h.upper() if chance_heads < 0.2 and "::" not in h else h for h in head]
    book = openpyxl.Workbook()
    survey = book.active
    survey.title = chance.choice(["survey", "Survey"])
    survey.append(shown)
    questions, depth, number = [], 0, 0

    def comparison():
        name, kind, options = chance.choice(questions)
        if kind == "number":
            # We refuse an equation with a number that the question does not allow; pyxform does not.
            sign = chance.choice(["<", "<=", ">", ">=", "=", "!="])
            return f"${{{name}}} {sign} {chance.choice([0, 7, -3, 2.5, 100]) if sign in '<>' else 2}"
        if kind == "date":
            return f"${{{name}}} {chance.choice(['<', '>=', '='])} date('2026-0{chance.randint(1, 9)}-15')"
        option = chance.choice(options)
        form = chance.randint(0, 2)
        quote = chance.choice("'\"")
        if form == 0: return f"selected(${{{name}}}, '{option}')"
        return f"${{{name}}} {chance.choice(['=', '!='])} {quote}{option}{quote}"

    def condition(level=0):
        kind = chance.randint(0, 4) if level < 3 else 0
        if kind < 2: return comparison()
        if kind == 2: return f"not({condition(level + 1)})"
        joined = f" {chance.choice(['and', 'or'])} ".join(f"({condition(level + 1)})" for _ in range(chance.randint(2, 3)))
        return joined

    for _ in range(rows):
        number += 1
        name = f"{chance.choice(['q', '_q', 'Q.', 'q-'])}{number}"
        relevant = condition() if questions and chance.random() < 0.4 else None
        required = chance.choice([None, "yes", "no", "true", "TRUE", True, False, "true()"])
        hints = [h if chance.random() < 0.5 else None for h in words()]
        kind = chance.choice(["select_one", "select_multiple", "integer", "decimal", "text", "date", "image", "geotrace", "note", "begin_group", "end_group"])
        constraint, options = None, None
        if kind in ("select_one", "select_multiple"):
            which = chance.choice(list(lists))
            options = lists[which]
            kind, form = f"{kind} {which}", kind
        elif kind in ("integer", "decimal"):
            form = "number"
            constraint = chance.choice([None, ". >= 0", ".<=300", ". >= -5 and . <= 5", "(. >= 1.5) and (. <= 99)"] if kind == "decimal" else [None, ".>0", ". >= 0 and . < 10", ".<=300"])
        else:
            form = kind
        if kind == "begin_group":
            if depth > 2: continue
            depth += 1
            survey.append([kind, name, *words(), *[None for _ in hints], None, relevant, None, None])
            continue
        if kind == "end_group":
            if depth == 0: continue
            # pyxform refuses a group without a question.
            survey.append(["text", f"in{number}", *words(), *[None for _ in hints], None, None, None, None])
            depth -= 1
            survey.append([kind])
            continue
        survey.append([kind, name, *words(), *hints, required if kind != "note" else None, relevant, constraint, chance.choice([None, "minimal"])])
        if form in ("select_one", "select_multiple", "number", "date"): questions.append((name, form, options))
        if chance.random() < 0.1: survey.append([])
    while depth:
        survey.append(["text", f"end{depth}", *words(), *[None for _ in columns("x")], None, None, None, None])
        survey.append(["end_group"])
        depth -= 1
    choices = book.create_sheet(chance.choice(["choices", "Choices"]))
    choices.append([chance.choice(["list_name", "list name"]), "name", *columns("label")])
    for name, options in lists.items():
        for option in options: choices.append([name, option, *words()])
    settings = book.create_sheet("settings")
    settings.append(["form_title", "form_id", "default_language"])
    settings.append(["A form", "form", LANGUAGES[1] if several else None])
    book.save(path)
    return LANGUAGES[1] if several else None


class Parser:
    """XPath's conditions, as far as XLSForm's tables have them here."""
    def __init__(self, text, kinds):
        self.tokens = re.findall(r"\$\{[^}]*\}|'[^']*'|\"[^\"]*\"|-?[0-9.]+|<=|>=|!=|[<>=(),]|[a-z]+", text)
        self.kinds = kinds

    def take(self): return self.tokens.pop(0)
    def see(self): return self.tokens[0] if self.tokens else None

    def series(self, word, inner, key):
        parts = [inner()]
        while self.see() == word:
            self.take()
            parts.append(inner())
        return parts[0] if len(parts) == 1 else {key: parts}

    def any(self): return self.series("or", self.all, "any")
    def all(self): return self.series("and", self.one, "all")

    def bracket(self, inner):
        assert self.take() == "("
        value = inner()
        assert self.take() == ")"
        return value

    def one(self):
        token = self.see()
        if token == "(": return self.bracket(self.any)
        token = self.take()
        if token == "not": return {"not": self.bracket(self.any)}
        if token == "selected":
            def pair():
                name = self.take()[2:-1]
                assert self.take() == ","
                return {"oneOf": [name, [self.take()[1:-1]]]}
            return self.bracket(pair)
        name, sign = token[2:-1], self.take()
        kind = self.kinds[name]
        if kind == "number":
            value = float(self.take())
            value = int(value) if value == int(value) else value
        elif kind == "date":
            assert self.take() == "date"
            value = self.bracket(lambda: self.take()[1:-1])
        else:
            value = self.take().strip("'\"")
            if kind == "several": value = [value]
        equal = {"equals": [name, value]}
        return {"=": lambda: equal, "!=": lambda: {"not": equal}, "<": lambda: {"less": [name, value]},
                ">": lambda: {"more": [name, value]}, "<=": lambda: {"any": [{"less": [name, value]}, equal]},
                ">=": lambda: {"any": [{"more": [name, value]}, equal]}}[sign]()


def limits(text, whole):
    found = {}
    for sign, number in re.findall(r"\.\s*(<=|>=|<|>)\s*(-?[0-9.]+)", text or ""):
        value = float(number)
        if whole and sign == ">": value += 1
        if whole and sign == "<": value -= 1
        found["least" if sign[0] == ">" else "most"] = int(value) if value == int(value) else value
    return found


def items(form, language):
    kinds, found = {}, []
    word = lambda text: text[language] if isinstance(text, dict) else text
    has = lambda text: text and (not isinstance(text, dict) or text.get(language))

    def walk(children, around):
        for child in children:
            if child["name"] == "meta": continue
            bind = child.get("bind", {})
            own = Parser(bind["relevant"], kinds).any() if bind.get("relevant") else None
            every = around + ([own] if own else [])
            item = {"id": child["name"], "wording": word(child["label"])}
            if every: item["when"] = every[0] if len(every) == 1 else {"all": every}
            if child["type"] == "group":
                found.append(item | {"kind": "words", "required": False})
                walk(child["children"], every)
                continue
            if has(child.get("hint")): item["hint"] = word(child["hint"])
            item["required"] = bind.get("required", "").lower() in ("yes", "true", "true()")
            # pyxform makes one space of several in the survey alone; we do so in both tables.
            choices = lambda: [{"id": c["name"], "wording": re.sub(" +", " ", word(c["label"]))} for c in child["choices"]]
            kind, more = {
                "select one": lambda: ("question", {"form": "choice", "choices": choices()}),
                "select all that apply": lambda: ("question", {"form": "several", "choices": choices()}),
                "integer": lambda: ("question", {"form": "number", "whole": True, **limits(bind.get("constraint"), True)}),
                "decimal": lambda: ("question", {"form": "number", **limits(bind.get("constraint"), False)}),
                "text": lambda: ("question", {"form": "text"}), "date": lambda: ("question", {"form": "date"}),
                "photo": lambda: ("shot", {"least": 1, "most": 1}), "geotrace": lambda: ("track", "free"),
                "note": lambda: ("words", None)}[child["type"]]()
            item["kind"] = kind
            if more is not None: item[kind] = more
            if kind == "words": item["required"] = False
            if kind == "question": kinds[child["name"]] = {"choice": "choice", "several": "several"}.get(more["form"], more["form"])
            found.append(item)

    walk(form["children"], [])
    return found


def main(folder, count):
    chance = random.Random(31)
    for number in range(1, count + 1):
        rows = 5 if number == 1 else 300 if number == count else chance.randint(5, 300)
        language = make(chance, rows, f"{folder}/{number}.xlsx")
        form = parse_file_to_json(f"{folder}/{number}.xlsx")
        with open(f"{folder}/{number}.json", "w") as file: json.dump(items(form, language), file)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
