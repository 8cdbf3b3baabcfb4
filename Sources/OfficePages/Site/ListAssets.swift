import Web

/// The script and the style of pages on which several rows or pictures of a list are ticked.
enum ListAssets {
  static let script = Asset(file: "/assets/list.js", [PackageResources.list_js])
  static let style = Asset(file: "/assets/list.css", [PackageResources.list_css])

  static func add(to routes: inout Routes) {
    for asset in [script, style] {
      routes.get(asset.path) { request in asset.response(to: request) }
    }
  }
}
