import Glibc

extension Server {
  /// The address and the limits of a server.
  public struct Configuration: Sendable {
    /// An IPv4 or IPv6 address, or a name that resolves to one; `::` listens on both families.
    public var host = "127.0.0.1"
    /// The TCP port. With 0 the system chooses one, which `Server.port` returns.
    public var port: UInt16 = 0
    /// The setting of the host, named in errors.
    public var hostSetting = "--bind"
    /// The setting of the port, named in errors.
    public var portSetting = "--port"

    /// Polling threads, at least 1. The default is two a core, so that a core has work while one of its threads is
    /// preempted or waits for a lock.
    public var threads = 2 * max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))

    /// The maximum number of open connections. The server closes further ones without a response, so keep the limit far
    /// above `inFlightLimit` and `streamLimit`, at which requests still get responses.
    public var connectionLimit = 4096
    /// The maximum number of bytes of a request's head, with 64 bytes for each header and cookie, and a copy of the
    /// cookies. The server refuses a longer one with `Refusal.headTooLong`, or libmicrohttpd with 431 or 414.
    public var headLimit = 16 * 1024
    /// The bytes of memory of each connection. libmicrohttpd clears all of them for every request, so more of them cost
    /// time. The head of the response must fit behind the head of the request: otherwise libmicrohttpd closes the
    /// connection without a response.
    var connectionMemory: Int { headLimit + 2048 }
    /// The maximum number of bytes of a request's body. The server refuses a longer one with `Refusal.bodyTooLarge`.
    public var bodyLimit = 64 * 1024
    /// The maximum number of bytes of a refused body that the server reads and discards, so that the client can read
    /// the refusal.
    public var discardLimit = 1024 * 1024
    /// The maximum number of in-flight requests: those whose head has arrived and whose response is not yet sent.
    /// Streamed responses do not count. The server refuses further requests with `Refusal.overloaded`.
    public var inFlightLimit = 2048
    /// The maximum number of handlers that run on although their clients have disconnected, or have had another response.
    /// The server refuses further requests with `Refusal.overloaded` until some have ended.
    public var abandonedLimit = 256
    /// The number of requests that may wait in sockets, and the number of suspended ones, below which the server
    /// sheds no load.
    public var loadSheddingThreshold = 128
    /// Targets, without their queries, that are exempt from `Refusal.overloaded`, such as health checks.
    public var alwaysServed: Set<String> = []
    /// The maximum number of concurrent streamed responses. The server refuses further ones with `Refusal.overloaded`,
    /// so that other requests find a free connection.
    public var streamLimit = 3072
    /// The maximum number of connections that the system queues before the server accepts them.
    public var backlog: Int32 = 1024

    /// The time without a byte after which the server closes a connection; rounded up to whole seconds.
    public var idleTimeout = Duration.seconds(30)
    /// The time for the whole head of a request, from the accept, or from the request line of a later request. Between
    /// two requests `idleTimeout` is added, because libmicrohttpd does not report the arrival of the first byte.
    public var headTimeout = Duration.seconds(10)
    /// The time for the whole body of a request, however slowly it arrives.
    public var bodyTimeout = Duration.seconds(20)
    /// The time for the handler's response. After it, the server responds with `Refusal.timedOut`.
    public var handlerTimeout = Duration.seconds(30)
    /// The time for which a stopping server waits for one more request on an idle connection. Its response announces
    /// the close, so that the client loses no request.
    public var lingerTime = Duration.zero
    /// The time for the client to take the whole response, or all pending bytes of a streamed one.
    public var sendTimeout = Duration.seconds(30)

    public init() {}
  }
}

/// The timeouts of a configuration in nanoseconds, the unit in which requests are measured.
struct Timeouts: Sendable {
  let head: Int64
  /// The timeout of the head of a later request on the same connection.
  let nextHead: Int64
  let body: Int64
  let handler: Int64
  let send: Int64
  /// The time for a client that is still sending to notice that its request was refused.
  let refusal: Int64 = 1_000_000_000

  init(_ configuration: Server.Configuration) {
    head = configuration.headTimeout.nanoseconds
    nextHead = (configuration.idleTimeout + configuration.headTimeout).nanoseconds
    body = configuration.bodyTimeout.nanoseconds
    handler = configuration.handlerTimeout.nanoseconds
    send = configuration.sendTimeout.nanoseconds
  }

  /// The interval at which the watchdog checks deadlines: an eighth of the shortest timeout, from 5 to 500 ms.
  var watchdogInterval: Int64 {
    let shortest = [head, body, handler, send].min()!
    return min(max(shortest / 8, 5_000_000), 500_000_000)
  }
}
