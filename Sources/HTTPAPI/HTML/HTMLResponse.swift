internal import MicroHTTP
internal import Values

extension Response {
  /// A page. But for images of apps, it may load nothing but the service's own style sheet and script, send forms to nobody else, and be in nobody's frame;
  /// and no other site learns its address, which is all that is needed to use a session.
  static func page(_ page: HTMLTemplates.Page, _ values: TemplateValue, status: Int = 200) -> Response {
    Response(
      status: status,
      headers: [
        ("Content-Type", "text/html; charset=utf-8"),
        ("Content-Security-Policy", contentSecurityPolicy(images: page.isOfConsole ? "data:" : "* data:")),
        // Not `no-referrer`, which would make the origin of the service's own forms unknown.
        ("Referrer-Policy", "same-origin"), ("X-Content-Type-Options", "nosniff"),
      ], body: WrittenBody(HTMLTemplates.shared.render(page, values).detached()))
  }

  /// Where a browser goes after a form, so that a reload sends nothing again.
  static func seeOther(_ location: String) -> Response { Response(status: 303, headers: [("Location", location)]) }

  /// - Parameter images: those of apps are wherever the apps keep them.
  private static func contentSecurityPolicy(images: String) -> String {
    """
    default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src \(images); form-action 'self'; \
    base-uri 'none'; frame-ancestors 'none'
    """
  }
}
