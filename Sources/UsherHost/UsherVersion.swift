/// The version of Usher.
public let usherVersion = "0.1.0"
