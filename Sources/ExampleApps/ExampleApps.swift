public import Navigation

/// The apps that ship with Usher, each written as an author would write one.
public enum ExampleApps {
  /// A front end of `shop` that looks like none of the service's own: one page, on the JavaScript client, that draws from the data of
  /// the screens alone.
  public static let shopFrontEnd = PackageResources.front_end_html

  public static let all: [App] = [pages, shop, tabs, bank, gallery]
}
