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
