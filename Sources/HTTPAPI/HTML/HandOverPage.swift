internal import MicroHTTP
internal import Navigation
internal import Sessions

/// The two pages of a hand-over: the link for another device, and what that link leads to there.
struct HandOverPage {
  let offer: HandOverOffer

  /// - Parameters:
  ///   - id: of the session on this device.
  ///   - origin: the scheme and host by which the service was reached.
  func offering(to id: SessionID, at origin: String) -> Response {
    .page(
      .handOver,
      [
        "language": "en", "title": "Continue on another device", "app": app, "until": until,
        "link": .text(origin + offer.path), "session": .text(id.path),
      ])
  }

  var taking: Response {
    .page(
      .handOver,
      [
        "language": "en", "title": "Continue here?", "app": app, "until": until,
        "taking": ["href": .text(offer.path), "key": .text(AppsPage.makeKey())],
      ])
  }

  private var app: TemplateValue { .text(offer.app.title.string) }

  /// The time of day is all that matters for a few minutes.
  private var until: TemplateValue { .text("\(offer.expiresAt.text.dropFirst(11).prefix(5)) UTC") }
}
