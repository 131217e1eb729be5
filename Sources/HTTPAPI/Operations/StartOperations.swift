internal import Languages
internal import MicroHTTP
internal import Navigation
internal import Sessions
internal import Values
internal import WebPages

/// `GET` and `POST /start/{app}` and `/start/{app}/{link}`: addresses that lead people to an app, for mails, posters and
/// other sites.
extension Operations {
  /// Shows the app, and creates no session: crawlers, mail scanners and link previews follow every link.
  static let invite = Route.later { call in
    let address = try StartAddress(of: call)
    let app = address.app
    let response: Response
    switch call.representation {
    case .html: response = .page(address.page.render())
    case .text: response = .text("\(app.title.string)\n" + (app.summary.map { "\($0.string)\n" } ?? ""))
    case .json, .siren: response = .value(address.value)
    }
    return response.varyingByLanguage(address.page.language)
  }

  static let start: Route.Operation = { call in
    .later { [call] in
      let address = try StartAddress(of: call)
      do {
        return try await created(try address.request(call), call)
      } catch {
        throw call.problem(error).about(address, call.form)
      }
    }
  }
}

/// The parts of a start address: an app, perhaps a link into it, and values of the app's input.
private struct StartAddress {
  /// The app, in the language of the session that the address starts.
  let app: AppDefinition
  /// The locale of that session; nil for that of the app.
  let locale: String?
  /// The language of the service's own texts.
  let language: ServiceLanguage
  /// The link with the parameters that it declares; nil for the beginning of the app.
  let link: String?
  /// The valid values of the app's input in the query.
  let values: Value
  let page: StartAddressPage
  private let target: String

  /// Throws a problem with a page if the app is unknown, or if the address leads nowhere in the app.
  init(of call: Call) throws {
    let hosted = try call.hostedApp()
    target = call.request.target
    var items: [(name: String, pair: Substring)] = []
    var texts: [String: [String]] = [:]
    for pair in call.path.encodedQuery.utf8.split(separator: UInt8(ascii: "&")) {
      // An item that cannot be decoded counts as absent, like any other invalid value.
      guard let name = percentDecoded(Substring(pair.prefix { $0 != UInt8(ascii: "=") })) else { continue }
      items.append((name, Substring(pair)))
      let text = percentDecoded(Substring(pair.drop { $0 != UInt8(ascii: "=") }.dropFirst()))
      if let text { texts[name, default: []].append(text) }
    }
    let named = [call.form?["locale"], texts["locale"]?.last].compactMap { text -> String? in
      text.flatMap { try? Operations.locale($0) }
    }
    locale = try Operations.locale(named.first, hosted.name, call)
    language = hosted.serviceLanguage(for: locale)
    app = hosted.localized(for: locale)
    values = app.input.values(ofQuery: texts)

    let path = String(call.path.rest(from: 2))
    let declared = app.link(at: path)
    let nowhere = StartAddressPage(app, in: language, values, origin: call.publicOrigin)
    guard declared != nil || !path.utf8.allSatisfy({ $0 == UInt8(ascii: "/") }) else {
      link = nil
      page = nowhere.posting(to: target, publicPath: "")
      return
    }
    let fields = declared?.queryFields ?? []
    let text = Self.link(path, items) { name in fields.contains { $0.name == name } }
    link = text
    do throws(Rejection) {
      try app.target(of: text)
    } catch {
      let isUnknown = error == .invalidLink(step: nil, .noMatch)
      let problem =
        isUnknown ? Problem(.notFound, .addressLeadsNowhere) : Problem(SessionError.rejected(error, nil))
      throw problem.with(\.address, nowhere).with(\.language, language)
    }
    // Search engines and previews show the address to others.
    let isPublic = declared?.hasHiddenPath == false
    let shared = Self.link(path, items) { name in fields.contains { $0.name == name && !$0.isHidden } }
    page = nowhere.posting(to: target, publicPath: isPublic ? shared : "")
  }

  /// Returns a link with some of the parameters, which are still percent-encoded.
  private static func link(
    _ path: String, _ items: [(name: String, pair: Substring)], _ isTaken: (String) -> Bool
  ) -> String {
    let query = items.filter { isTaken($0.name) }.map(\.pair).joined(separator: "&")
    return query.isEmpty ? path : "\(path)?\(query)"
  }

  /// The address for programs.
  var value: Value {
    [
      "app": Value(app.name), "title": Value(app.title.string),
      "summary": app.summary.map { Value($0.string) } ?? .null,
      "image": app.image.map { Value($0) } ?? .null, "link": link.map { Value($0) } ?? .null,
      "input": app.input.beginning(with: values).jsonSchema, "method": "POST", "href": Value(target),
    ]
  }

  /// Returns the request that creates the session. The values of the address complete the input of the body.
  func request(_ call: Call) throws(Problem) -> CreateRequest {
    guard let form = call.form else {
      let given = call.json["input"] ?? .emptyObject
      return try Operations.request(
        of: call.json, app.name, completed(given) { given[$0] != nil }, link: link, locale: locale, call)
    }
    let prefix = StartPage.inputPrefix
    let typed = form.value(for: app.input, prefix: prefix, in: language)
    // A person may have emptied a field that the address had filled in.
    let input = completed(typed) { form.texts[prefix + $0] != nil }
    return try Operations.request(of: form, app.name, input, link: link, locale: locale, call)
  }

  private func completed(_ input: Value, _ isGiven: (String) -> Bool) -> Value {
    guard input.kind == .map else { return input }
    let further = values.members.filter { !isGiven($0.key) }
    return .object(input.members.map { ($0.key, $0.value) } + further.map { ($0.key, $0.value) })
  }
}

extension Problem {
  /// Returns the problem with the page of a start address, which shows the form again.
  fileprivate func about(_ address: StartAddress, _ form: FormInput?) -> Problem {
    var problem = with(\.address, address.page).with(\.language, address.language)
    if let form { problem.form = RefusedForm(name: address.app.name, typed: form.texts, failures: failures) }
    return problem
  }
}
