import FieldUnit
import Web

/// Registers the service worker, on every page of the field unit. Where there is none to be had, such as
/// over plain HTTP from another device, the pages work all the same.
enum AppScript {
  static let asset = Asset(
    file: "/assets/app.js", [PackageResources.app_js])
}

/// Looks whether the program answers again, on the page that says that it does not.
enum WaitingScript {
  static let asset = Asset(
    file: "/assets/waiting.js", [PackageResources.waiting_js])
}
