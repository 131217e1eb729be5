package import MicroHTTP
internal import Navigation
package import Values
internal import WebPages

extension Response {
  /// Creates the response of a page.
  ///
  /// The page loads the service's own style sheets and scripts only, submits forms to the service only, and cannot be framed. Other
  /// sites do not learn its address, because the address of a session is all that its use takes.
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
