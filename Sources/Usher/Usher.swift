// The one import of an app's package: the authoring types, the command line, and the host. A type alias for each would
// not do: without the module that declares a protocol, its members are not visible where MemberImportVisibility is on.
@_exported public import Access
@_exported public import HTTPAPI
@_exported public import HTTPServices
@_exported public import Languages
@_exported public import Logging
@_exported public import MicroHTTP
@_exported public import Navigation
@_exported public import Observability
@_exported public import Sessions
@_exported public import Stores
@_exported public import UsherCommandLine
@_exported public import UsherHost
@_exported public import Values
