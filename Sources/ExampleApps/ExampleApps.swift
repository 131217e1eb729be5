public import Navigation

/// The example apps that ship with Usher: ``pages`` and ``tabs`` are the smallest, ``bank`` shows the most features.
public enum ExampleApps {
  /// A web front end for ``shop`` with a design of its own: one page that uses the JavaScript client, and renders only
  /// the screens' data.
  public static let shopFrontEnd = PackageResources.front_end_html

  public static let all: [App] = [pages, shop, tabs, bank, checkout, gallery]
}
