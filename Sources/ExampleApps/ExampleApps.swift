public import Navigation

/// The apps that ship with Usher, each written as an author would write one.
public enum ExampleApps {
  public static let all: [App] = [pages, shop, tabs, bank, gallery]
}
