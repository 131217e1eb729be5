/// The version of the service, as its entry point shows it.
public let usherVersion = "0.1.0"
