import Glibc

extension Server {
  /// Where a server listens, and the limits that it keeps.
  public struct Configuration: Sendable {
    /// An IPv4 or IPv6 address, or a name that resolves to one; `::` listens on both families.
    public var host = "127.0.0.1"
    /// 0 lets the system choose; `Server.port` then tells which.
    public var port: UInt16 = 0

    /// Polling threads, at least 1; two a core unless set, so that a core has work when one of its threads was preempted or
    /// waits for a lock.
    public var threads = 2 * max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))

    /// Open connections. Those above it are closed unanswered, so it belongs far above `inFlightLimit` and `streamLimit`, at which
    /// requests are still answered.
    public var connectionLimit = 4096
    /// Bytes a connection, which bound the head of a request; a longer one is answered with 431, a target with 414. The library
    /// clears them for every request, so more cost time.
    public var connectionMemory = 16 * 1024
    /// Bytes of a request's body; a longer one is refused with `Refusal.bodyTooLarge`.
    public var bodyLimit = 64 * 1024
    /// Bytes of a refused body that are read and thrown away so that the client gets to read the refusal.
    public var discardLimit = 1024 * 1024
    /// Requests whose head has arrived and whose answer is not yet sent, but for answers that go on; more are refused with `Refusal.overloaded`.
    public var inFlightLimit = 2048
    /// Requests that may wait in sockets, and suspended ones, without any being refused because of the load.
    public var overloadFloor = 128
    /// Targets, without their queries, that are never refused with `Refusal.overloaded`: what tells whether the server lives.
    public var alwaysServed: Set<String> = []
    /// Answers that go on at once; more are refused with `Refusal.overloaded`, so that connections are left for everybody else.
    public var streamLimit = 3072
    /// Connections that the system holds before they are accepted.
    public var backlog: Int32 = 1024

    /// Without a byte for this long a connection is closed; rounded up to whole seconds.
    public var idleTimeout = Duration.seconds(30)
    /// For the whole head of a request, from the accept, or from the request line of a later request. Between two
    /// requests `idleTimeout` is added, because the library does not tell when the first byte arrives.
    public var headTimeout = Duration.seconds(10)
    /// For the whole body of a request, however slowly it trickles.
    public var bodyTimeout = Duration.seconds(20)
    /// For the handler's answer; then `Refusal.timedOut` is answered in its place.
    public var handlerTimeout = Duration.seconds(30)
    /// For clients between two requests to send one more when the server stops: they then hear that it was the last, and lose none.
    public var lingerTime = Duration.zero
    /// For the client to take the whole response; of one that goes on, what there is of it.
    public var sendTimeout = Duration.seconds(30)

    public init() {}
  }
}

/// The configuration's limits in the units that a request is measured in.
struct Limits: Sendable {
  let body: Int
  let discard: Int
  let inFlight: Int
  let streams: Int
  let connections: Int
  let alwaysServed: Set<String>

  // Nanoseconds.
  let head: Int64
  let nextHead: Int64
  let bodyTime: Int64
  let handler: Int64
  let send: Int64
  let stopLinger: Int64
  /// For a client that goes on sending to notice that its request was refused.
  let linger: Int64 = 1_000_000_000

  init(_ configuration: Server.Configuration) {
    body = configuration.bodyLimit
    discard = configuration.discardLimit
    inFlight = configuration.inFlightLimit
    streams = configuration.streamLimit
    connections = configuration.connectionLimit
    alwaysServed = configuration.alwaysServed
    head = configuration.headTimeout.nanoseconds
    nextHead = (configuration.idleTimeout + configuration.headTimeout).nanoseconds
    bodyTime = configuration.bodyTimeout.nanoseconds
    handler = configuration.handlerTimeout.nanoseconds
    send = configuration.sendTimeout.nanoseconds
    stopLinger = configuration.lingerTime.nanoseconds
  }

  /// How often deadlines are looked at: often enough for the shortest, 5 to 500 ms.
  var watchInterval: Int64 {
    let shortest = [head, bodyTime, handler, send].min()!
    return min(max(shortest / 8, 5_000_000), 500_000_000)
  }
}
