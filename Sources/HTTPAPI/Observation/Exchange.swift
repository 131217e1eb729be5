internal import Access
internal import MicroHTTP

/// A request on its way to its answer, and what is told of it.
struct Exchange {
  let request: Request
  /// Finds it in the log.
  let requestID: String
  let start = ContinuousClock.now
  /// The place of its route in the table; nil where it has none.
  var place: Int?
  /// The path of its route, with placeholders.
  var route = "none"
  /// Who makes it, once that is known.
  var principal: Principal?

  init(_ request: Request, _ requestID: String) {
    self.request = request
    self.requestID = requestID
  }
}
