package import MicroHTTP
internal import Navigation
package import Sessions
package import Values
internal import Views
internal import WebPages

extension Response {
  /// Creates the response with the view of a session in one representation.
  ///
  /// - Parameter isEnding: whether a page warns of the end of the session.
  static func view(
    of snapshot: Snapshot, as format: ViewFormat, status: Int = 200, isReplay: Bool = false, pages: ListPages? = nil,
    isEnding: Bool = false
  ) -> Response {
    var response: Response =
      switch format.representation {
      case .json: .json(snapshot.json(pages, format.blocks), status: status)
      case .html: .page(SessionPage(snapshot, pages, isEnding: isEnding).render(), status: status)
      case .text: .text(snapshot.text(pages), status: status)
      case .siren:
        Response(
          status: status, headers: [("Content-Type", format.representation.mediaType)],
          body: SirenEntity(snapshot: snapshot, pages: pages).value.json)
      }
    response.headers.append(("ETag", snapshot.etag(of: format, isEnding: isEnding)))
    if let language = snapshot.app.language { response.headers.append(("Content-Language", language)) }
    if format.blocks != nil { response.headers.append(("Preference-Applied", "blocks")) }
    if isReplay { response.headers.append(("Idempotency-Replayed", "true")) }
    return response
  }

  /// Creates the response after a change: the new view, or a redirect to it for a browser.
  static func done(
    _ result: SessionResult, as format: ViewFormat, status: Int = 200
  ) -> Response {
    if format.representation == .html { return .seeOther(result.snapshot.id.path) }
    var response = view(of: result.snapshot, as: format, status: status, isReplay: result.isReplay)
    if status == 201 { response.headers.append(("Location", result.snapshot.id.path)) }
    return response
  }

  static func json(_ json: consuming JSONWriter, status: Int = 200) -> Response {
    var response = Response(status: status, body: WrittenBody(json.detached()))
    response.headers.reserveCapacity(5)
    response.headers.append(("Content-Type", "application/json"))
    return response
  }

  static func value(_ value: Value, status: Int = 200) -> Response {
    var json = JSONWriter(capacity: 1024)
    json.value(value)
    return .json(json, status: status)
  }

  /// Creates the response of a text. A terminal shows it, so that it has no commands of terminals.
  static func text(_ text: String, status: Int = 200) -> Response {
    Response(
      status: status, headers: [("Content-Type", "text/plain; charset=utf-8")],
      body: Array(text.terminalSafeLines.utf8))
  }

  /// Creates the response of a page.
  ///
  /// The page loads the service's own style sheets and scripts only, submits forms to the service only, and cannot be
  /// framed. Other sites do not learn its address, because the address of a session is enough to use the session.
  ///
  /// - Parameter images: the sources of images (Content Security Policy Level 3, section 6.1.4).
  package static func page(
    _ page: consuming ByteWriter, status: Int = 200, images: String = "* data:"
  ) -> Response {
    Response(
      status: status,
      headers: [
        ("Content-Type", "text/html; charset=utf-8"),
        ("Content-Security-Policy", contentSecurityPolicy(images: images)),
        // `no-referrer` would hide the origin of the service's own forms.
        ("Referrer-Policy", "same-origin"), ("X-Content-Type-Options", "nosniff"),
      ], body: WrittenBody(page.detached()))
  }

  /// Redirects a browser after a form, so that a reload does not send the form again.
  package static func seeOther(_ location: String) -> Response {
    Response(status: 303, headers: [("Location", location)])
  }

  private static func contentSecurityPolicy(images: String) -> String {
    """
    default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src \(images); form-action 'self'; \
    base-uri 'none'; frame-ancestors 'none'
    """
  }
}

extension Snapshot {
  package var json: JSONWriter { json(nil) }

  /// - Parameters:
  ///   - pages: the pages of the lists in the content.
  ///   - blocks: the types of block that the client knows; nil if it did not say.
  func json(_ pages: ListPages?, _ blocks: KnownBlocks? = nil) -> JSONWriter {
    var json = JSONWriter(pooled: 2048 + 64 * visible.stack.count)
    json.view(of: self, pages, blocks)
    return json
  }

  /// Returns the entity tag: the revision and the suffix of the format, in quotes. Behind the revision is the end of a
  /// session with an idle limit, which moves without a revision.
  ///
  /// - Parameter isEnding: whether a page warns of the end of the session.
  func etag(of format: ViewFormat, isEnding: Bool = false) -> String {
    guard format.representation == .json, format.blocks == nil, !isReadOnly, !hasIdleLimit else {
      let end = hasIdleLimit ? "\(ViewFormat.endMark)\(session.expiresAt.milliseconds)\(isEnding ? "w" : "")" : ""
      return "\"\(session.revision)\(end)\(format.tagSuffix)\(isReadOnly ? "-read" : "")\""
    }
    var tag = ReversedText()
    tag.append(UInt8(ascii: "\""))
    tag.append(session.revision)
    tag.append(UInt8(ascii: "\""))
    return tag.string
  }
}

/// A body that is sent from the buffer of its writer, without a copy.
private final class WrittenBody: ResponseBody, @unchecked Sendable {
  private let written: DetachedBytes

  init(_ written: DetachedBytes) {
    self.written = written
    super.init(written.bytes)
  }

  deinit { written.free() }
}
