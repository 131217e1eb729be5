import Navigation
import Values

@testable import Fuzzing
@testable import HTTPAPI

/// A form's fields are those of a plain reading of its bytes (URL Standard, section 5.1), and make an input or a refusal.
func checkForm(_ body: [UInt8]) {
  let expected = plainFields(of: body)
  guard let form = try? FormInput(body) else { return }
  guard let expected else { fatalError("a form that is broken was read") }
  hold(form.isEmpty == expected.isEmpty, "the form has other fields")
  for (name, value) in expected {
    hold(form[name]?.utf8.elementsEqual(value.utf8) ?? false, "\(name) is \(form[name] ?? "not there")")
  }
  for app in FuzzedApp.all.map(\.app) {
    for action in app.actions {
      let input = form.value(for: action.input)
      if let checked = try? action.input.check(input) {
        hold((try? action.input.check(checked)) == checked, "an input that was checked does not fit")
      }
    }
  }
}

/// Nil for a form with broken percent-encoding, or with bytes that are no UTF-8.
private func plainFields(of body: [UInt8]) -> [String: String]? {
  var fields: [String: String] = [:]
  for pair in body.split(separator: UInt8(ascii: "&")) {
    let sides = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
    guard let name = decoded(sides[0]), let value = decoded(sides.count > 1 ? sides[1] : []) else { return nil }
    fields[name] = value
  }
  return fields
}

private func decoded(_ bytes: ArraySlice<UInt8>) -> String? {
  let spaced = bytes.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
  guard let text = String(validating: spaced, as: UTF8.self).flatMap({ percentDecoded($0[...]) }) else { return nil }
  var lines: [UInt8] = []
  for byte in text.utf8 {
    if byte == 0x0A, lines.last == 0x0D { lines.removeLast() }
    lines.append(byte)
  }
  return String(decoding: lines, as: UTF8.self)
}
