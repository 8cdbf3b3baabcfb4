import FieldUnit
import Web

/// The script that registers the service worker, on every page of the field unit. Without a service
/// worker, such as over plain HTTP from another device, the pages work anyway.
enum AppScript {
  static let asset = Asset(
    file: "/assets/app.js", [PackageResources.app_js])
}

/// The script of the page that says that the program does not answer: it checks if the program
/// answers again.
enum WaitingScript {
  static let asset = Asset(
    file: "/assets/waiting.js", [PackageResources.waiting_js])
}
