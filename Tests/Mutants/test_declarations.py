"""Tests of declarations.py: python3 -m unittest discover Tests/Mutants"""
import unittest
from declarations import declarations, masked, pattern


def texts(source):
    return [(name, source[start:end].strip()) for name, start, end in declarations(source)]


class DeclarationsTests(unittest.TestCase):
    def test_members_have_the_name_of_their_type(self):
        source = "\n".join([
            "let limit = 1", "public struct A: B {", "  static let x = [1]", "  private class func f() { var y = 2 }",
            "  init?() {}", "  struct C { var z: Int { get {} } }", "}", "extension A.C where D == Int {",
            "  subscript(_ i: Int) -> Int { i }", "  static func == (a: A, b: A) -> Bool { true }", "}",
            "extension [String: A] { var d: Int { 0 } }"])
        names = [name for name, _, _ in declarations(source)]
        self.assertEqual(
            names, ["limit", "A", "A.x", "A.f", "A.init", "A.C", "A.C.z", "A.C", "A.C.subscript", "A.C.==",
                    "[String: A]", "[String: A].d"])

    def test_a_declaration_has_its_modifiers_and_ends_at_the_next(self):
        source = "struct A {\n  private var a: Int\n  var b = {\n    let c = 1\n  }()\n  func f(_ g: () -> Void = {}) {}\n}\n"
        self.assertEqual(texts(source)[1:], [
            ("A.a", "private var a: Int"), ("A.b", "var b = {\n    let c = 1\n  }()"),
            ("A.f", "func f(_ g: () -> Void = {}) {}")])

    def test_declarations_on_one_line(self):
        self.assertEqual(texts("enum A { static let b = 1; static let c = 2 }")[1:], [
            ("A.b", "static let b = 1;"), ("A.c", "static let c = 2")])

    def test_texts_and_comments_are_not_code(self):
        for text in [
            '"}"', '"\\"}"', '"\\(f("}", (1)))}"', '#"\\}"}"#', '#"\\#(f("}"))"#', '"""\n  "}" \\(a["}"]) \\\n  """',
            "// }", "/* } /* } */ } */", '(/"}/)', '"\\("\\("}")")"',
        ]:
            self.assertNotIn("}", masked(f"let a = {text}\n"), text)
            self.assertEqual([name for name, _, _ in declarations(f"let a = {text}\nlet b = 1")], ["a", "b"], text)

    def test_a_division_is_code(self):
        self.assertEqual(masked("a /= 10 { } / 2"), "a /= 10 { } / 2")

    def test_unbalanced_braces_are_an_error(self):
        for source in ["struct A {", "}"]:
            self.assertRaises(ValueError, declarations, source)


class PatternTests(unittest.TestCase):
    def test_line_breaks_and_spaces_may_differ(self):
        self.assertTrue(pattern("if f(a, b) { return }").fullmatch("if f(\n  a, b\n) {\n  return\n}"))
        self.assertFalse(pattern("return a").fullmatch("returna"))

    def test_a_comma_before_a_closing_bracket_may_differ(self):
        self.assertTrue(pattern("[a, b]").fullmatch("[\n  a,\n  b,\n]"))
        self.assertTrue(pattern("[a, b,]").fullmatch("[a, b]"))

    def test_words_are_whole(self):
        self.assertEqual([match.start() for match in pattern("a.b").finditer("aa.b a.bb a.b")], [10])


if __name__ == "__main__":
    unittest.main()
