import FieldUnit
import Web

/// The service worker. It keeps one page, which says that the program does not answer, and the
/// files that draw that page. Pages with a person's data are never kept: an old one would look like
/// today's.
enum ServiceWorker {
  /// The files of the kept page, each under the address that the page asks for.
  static let kept = [
    "/not-running", Asset.styleSheet.href, Asset.icon.href, Asset.liveScript.href,
    FieldStyle.asset.href, WaitingScript.asset.href,
  ]

  static let text =
    "const KEPT = [\n" + kept.map { "  \"\($0)\",\n" }.joined() + "];\n"
    + String(decoding: PackageResources.service_worker_js, as: UTF8.self)
}
