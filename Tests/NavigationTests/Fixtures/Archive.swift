import Navigation

/// An app whose tabs are locked until the user signs in: one by a guard on its root coordinator, one by a guard on its
/// first screen.
enum Archive {
  static let app = app(version: 1)

  static func app(version: Int) -> App {
    App(
      "archive", title: "Archive", version: version, links: [FolderLink.self, ShelfLink.self, CaseLink.self],
      input: ArchiveInput.self
    ) { ArchiveCoordinator(isSignedIn: $0.isSignedIn ?? false) }
  }
}

struct ArchiveInput: AppInput {
  @Field("Signed in") var isSignedIn: Bool?
}

struct ArchiveCoordinator: Coordinator {
  static let name = "archive"
  var isSignedIn: Bool
  var endings = 0

  func start(_ nav: inout Navigator<Self>) { Self.showTabs(&nav) }

  static func showTabs(_ nav: inout Navigator<Self>) {
    nav.setTabs(
      .tab(Folders(), title: "Folders"), .tab(Shelves(), title: "Shelves"), .tab(Reception(), title: "Reception"))
  }

  static let wiring = Wiring<Self>()
    .starts(Folders.self, cancelled: { me, _ in me.endings += 1 })
    .starts(Shelves.self)
    .starts(Reception.self)
    .starts(ShowCase.self)
    .starts(Gate.self, finished: { me, result, _ in me.isSignedIn = result.isOpen })
    .guards(Folders.self, until: { $0.isSignedIn }, otherwise: { _, nav in nav.present(Gate()) })
    .guards(screen: ShelfList.self, until: { $0.isSignedIn }, otherwise: { _, nav in nav.start(Gate()) })
    .guards(ShowCase.self, until: { $0.isSignedIn }, otherwise: { _, nav in nav.present(Gate()) })
    .on(SignIn.self) { me, _, _ in me.isSignedIn = true }
    .on(SignOut.self) { me, _, _ in me.isSignedIn = false }
    .on(Rebuild.self) { _, _, nav in showTabs(&nav) }
    .on(OpenCase.self) { _, _, nav in nav.present(ShowCase()) }
}

/// A tab with a guarded root coordinator.
struct Folders: Coordinator {
  static let name = "folders"
  var opened: [String] = []
  func start(_ nav: inout Navigator<Self>) {
    nav.push(FolderList())
    nav.badge(3)
  }
  static let wiring = Wiring<Self>()
    .shows(FolderList.self)
    .shows(Folder.self)
    .starts(Clerk.self)
    .on(OpenFolder.self) { me, action, nav in
      guard action.id.hasPrefix("f") else { return nav.refuse("There is no such folder.") }
      me.opened.append(action.id)
      nav.push(Folder(id: action.id))
    }
    .on(CallClerk.self) { _, _, nav in nav.start(Clerk()) }
}

struct Clerk: Coordinator {
  static let name = "clerk"
  func start(_ nav: inout Navigator<Self>) { nav.push(Folder(id: "clerk")) }
  static let wiring = Wiring<Self>().shows(Folder.self)
}

/// A tab whose first screen is guarded by an ancestor, but not its details.
struct Shelves: Coordinator {
  static let name = "shelves"
  func start(_ nav: inout Navigator<Self>) { nav.push(ShelfList()) }
  static let wiring = Wiring<Self>()
    .shows(ShelfList.self)
    .shows(Shelf.self)
    .on(OpenShelf.self) { _, _, nav in nav.push(Shelf()) }
    .on(PeekShelf.self) { _, _, nav in nav.present(Shelf()) }
}

struct Reception: Coordinator {
  static let name = "reception"
  func start(_ nav: inout Navigator<Self>) { nav.push(Counters()) }
  static let wiring = Wiring<Self>().shows(Counters.self)
}

/// A guarded coordinator behind an action of the reception.
struct ShowCase: Coordinator {
  static let name = "show-case"
  func start(_ nav: inout Navigator<Self>) { nav.push(Exhibits()) }
  static let wiring = Wiring<Self>()
    .shows(Exhibits.self)
    .shows(Exhibit.self)
    .on(OpenExhibit.self) { _, action, nav in
      guard action.id.hasPrefix("e") else { return nav.refuse("There is no such exhibit.") }
      nav.push(Exhibit(id: action.id))
    }
}

struct Gate: Coordinator {
  struct Result: Codable { var isOpen: Bool }
  static let name = "gate"
  func start(_ nav: inout Navigator<Self>) { nav.push(GateScreen()) }
  static let wiring = Wiring<Self>()
    .shows(GateScreen.self)
    .on(PassGate.self) { _, action, nav in nav.finish(Result(isOpen: action.isKnown)) }
}

struct FolderList: Screen {
  static let name = "folder-list"
  static let title: Title<Self> = "Folders"
  static let actions: [any Action.Type] = [OpenFolder.self, CallClerk.self, SignOut.self]
}

struct Folder: Screen {
  static let name = "folder"
  static let title = Title<Self> { "Folder \($0.id)" }
  static let actions: [any Action.Type] = [SignOut.self]
  var id: String
}

struct ShelfList: Screen {
  static let name = "shelf-list"
  static let title: Title<Self> = "Shelves"
  static let actions: [any Action.Type] = [OpenShelf.self, PeekShelf.self, SignOut.self]
}

struct Shelf: Screen {
  static let name = "shelf"
  static let title: Title<Self> = "Shelf"
  static let actions: [any Action.Type] = [SignOut.self]
}

struct Counters: Screen {
  static let name = "counters"
  static let title: Title<Self> = "Reception"
  static let actions: [any Action.Type] = [OpenCase.self, SignIn.self, SignOut.self, Rebuild.self]
}

struct Exhibits: Screen {
  static let name = "exhibits"
  static let title: Title<Self> = "Exhibits"
  static let actions: [any Action.Type] = [OpenExhibit.self, SignOut.self]
}

struct Exhibit: Screen {
  static let name = "exhibit"
  static let title: Title<Self> = "Exhibit"
  static let actions: [any Action.Type] = [SignOut.self]
  var id: String
}

struct GateScreen: Screen {
  static let name = "gate"
  static let title: Title<Self> = "Gate"
  static let actions: [any Action.Type] = [PassGate.self]
}

struct OpenFolder: Action {
  static let name = "open"
  static let title: Text = "Open"
  @Field("Folder") var id: String
}

struct OpenExhibit: Action {
  static let name = "open"
  static let title: Text = "Open"
  @Field("Exhibit") var id: String
}

struct PassGate: Action {
  static let name = "pass"
  static let title: Text = "Pass"
  @Field("Known") var isKnown: Bool
}

struct CallClerk: Action {
  static let name = "call-clerk"
  static let title: Text = "Call the clerk"
}

struct OpenShelf: Action {
  static let name = "open"
  static let title: Text = "Open"
}

struct PeekShelf: Action {
  static let name = "peek"
  static let title: Text = "Peek"
}

struct OpenCase: Action {
  static let name = "open-case"
  static let title: Text = "Open the show case"
}

struct SignIn: Action {
  static let name = "sign-in"
  static let title: Text = "Sign in"
}

struct SignOut: Action {
  static let name = "sign-out"
  static let title: Text = "Sign out"
}

struct Rebuild: Action {
  static let name = "rebuild"
  static let title: Text = "Rebuild"
}

/// A link into the tab with a guarded root coordinator.
struct FolderLink: Link {
  static let pattern = "/folders/{id}"
  @Field("Folder") var id: String

  var steps: [Step] { [.tab(Folders.self), .action(OpenFolder(id: $id))] }
}

/// A link into the tab with a guarded first screen.
struct ShelfLink: Link {
  static let pattern = "/shelf"
  var steps: [Step] { [.tab(Shelves.self), .action(OpenShelf())] }
}

/// A link with a guard on its way and steps behind it.
struct CaseLink: Link {
  static let pattern = "/exhibits/{id}"
  @Field("Exhibit") var id: String

  var steps: [Step] { [.tab(Reception.self), .action(OpenCase()), .action(OpenExhibit(id: $id))] }
}
