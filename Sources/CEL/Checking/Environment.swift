extension CEL {
  /// The names that an expression may use, with their types.
  public struct Environment: Sendable {
    /// The variables. A name may have dots, such as `request.auth`; the longest name that fits an expression counts.
    public var variables: [String: ValueType]
    /// Returns the data of a time zone in the format TZif (RFC 8536), such as /usr/share/zoneinfo/Europe/Rome.
    ///
    /// The language itself reads no file, and passes only names of letters, digits, and `_ + - /`. Without this
    /// function, an expression can use UTC and fixed offsets only.
    public var timeZoneData: (@Sendable (_ name: String) -> [UInt8]?)?
    /// The variables and their fields, such as `quote` and `event.body`, that are not null although their types have it:
    /// a test around the expression has found that. See ``Program/notNullIfTrue``.
    public var notNull: Set<String> = []
    /// The variables that are objects of others, such as all answers of a form: the names of their members, which are
    /// variables.
    public var objects: [String: [String]] = [:]

    public init(
      _ variables: [String: ValueType] = [:], timeZoneData: (@Sendable (_ name: String) -> [UInt8]?)? = nil
    ) {
      self.variables = variables
      self.timeZoneData = timeZoneData
    }
  }
}
