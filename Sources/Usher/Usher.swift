// What a Swift developer imports to write apps and to host them.
@_exported public import Access
@_exported public import HTTPAPI
@_exported public import Logging
@_exported public import MicroHTTP
@_exported public import Navigation
@_exported public import Observability
@_exported public import Sessions
@_exported public import Stores
@_exported public import Values

/// The version of the service, as its entry point and `usher --version` show it.
public let usherVersion = "0.1.0"
