internal import Foundation
internal import HTTPTransport
internal import Values

/// The requests to a bucket, with their repetitions.
struct S3Client: Sendable {
  /// The number of attempts at a request.
  static let attempts = 3
  /// The digest of an empty body.
  private static let emptyDigest = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

  let bucket: String
  /// The address of the bucket, without a slash at its end.
  let address: String
  let region: String
  let credentials: S3Credentials
  /// The time before the second attempt; the third one waits for twice as long.
  let backoff: Duration
  let transport: CurlTransport

  /// The answer to a request that the server has carried out.
  typealias Answer = HTTPResponseStream

  /// Sends a request until it has succeeded or failed for good.
  ///
  /// - Parameters:
  ///   - name: the name of the object; nil for the bucket.
  ///   - query: the query, sorted by name.
  /// - Throws: ``FileStoreError/missing`` if the bucket does not have the object.
  func send(
    _ method: String, _ name: String?, query: [(String, String)] = [], headers: [(String, String)] = [],
    upload: (HTTPRequest.Upload, digest: String)? = nil
  ) async throws(FileStoreError) -> Answer {
    let request = try request(method, name, query, headers, upload)
    var attempt = 1
    while true {
      let failure: Failure
      do {
        let answer = try await transport.open(request)
        if (200..<300).contains(answer.head.status) { return answer }
        failure = try await self.failure(of: answer, isObject: name != nil && method != "PUT")
      } catch {
        failure = Failure(error)
      }
      guard failure.isTemporary, attempt < Self.attempts else { throw failure.error }
      do { try await Task.sleep(for: backoff * attempt) } catch { throw failure.error }
      attempt += 1
    }
  }

  private func request(
    _ method: String, _ name: String?, _ query: [(String, String)], _ headers: [(String, String)],
    _ upload: (HTTPRequest.Upload, digest: String)?
  ) throws(FileStoreError) -> HTTPRequest {
    let path = name.map { "/\($0)" } ?? ""
    let pairs = query.map { "\($0)=\(percentEncoded($1))" }.joined(separator: "&")
    guard let url = URL(string: address + path + (pairs.isEmpty ? "" : "?\(pairs)")) else {
      throw .unavailable("The address \(address) of S3 is invalid.")
    }
    var request = HTTPRequest(method, url, timeouts: .init(total: nil, idle: .seconds(30)))
    request.headers = headers.map { (name: $0, value: $1) }
    request.headers.append((name: "x-amz-content-sha256", value: upload?.digest ?? Self.emptyDigest))
    if let token = credentials.sessionToken { request.headers.append((name: "x-amz-security-token", value: token)) }
    request.upload = upload?.0
    request.signature = .init(region: region, accessKey: credentials.accessKey, secret: credentials.secret)
    return request
  }

  // MARK: - Failures

  struct Failure {
    let error: FileStoreError
    /// Whether another attempt may succeed.
    let isTemporary: Bool

    init(_ error: FileStoreError, isTemporary: Bool = false) {
      self.error = error
      self.isTemporary = isTemporary
    }

    /// The failure of a request without a response.
    init(_ error: any Error) {
      self.error = .unavailable("S3 did not answer. \(error)")
      isTemporary =
        switch error as? TransportError {
        case .cannotConnect, .timedOut, .connectionLost, .overloaded: true
        case .invalidRequest, .untrustedServer, .invalidResponse, .responseTooLarge, nil: false
        }
    }
  }

  private func failure(of answer: Answer, isObject: Bool) async throws -> Failure {
    let status = answer.head.status
    let body = String(decoding: try await answer.body(limit: 64 << 10), as: UTF8.self)
    // A response without a body, such as that to HEAD, has no code.
    let code = XMLElements(Array(body.utf8))?.ended.first { $0.path == "Error/Code" }?.text ?? ""
    let reason = code.isEmpty ? "\(status)" : "\(status), \(code)"
    switch (status, code) {
    case (404, "NoSuchKey"): return Failure(.missing)
    case (404, "") where isObject: return Failure(.missing)
    case (404, _):
      return Failure(.unavailable("The bucket \(bucket) does not exist (\(reason)). Create it, or name another one."))
    case (401, _), (403, _):
      let advice = "Check the credentials, the clock and the permissions."
      return Failure(.unavailable("The bucket \(bucket) refuses access (\(reason)). \(advice)"))
    case (301, _), (307, _), (400, "AuthorizationHeaderMalformed"):
      return Failure(.unavailable("The bucket \(bucket) is in another region than \(region) (\(reason))."))
    case (400, "EntityTooLarge"), (413, _): return Failure(.tooLarge)
    case (507, _): return Failure(.full)
    case (500, _), (502, _), (503, _), (504, _), (429, _):
      return Failure(.unavailable("S3 is not available (\(reason))."), isTemporary: true)
    default: return Failure(.unavailable("S3 has refused a request (\(reason))."))
    }
  }
}
