import Inspection
import Office
import OfficePages
import Store
import TimeAndText
import Web

/// The words for the checks of a phone's photo, if they differ from those for other photos.
struct PhoneCheckWords {
  let t: Texts

  /// Returns the words for a check; nil for a check that reads as any other photo's.
  func words(for check: PhotoCheck) -> String? {
    func number(_ quantity: PhotoCheck.Quantity, _ places: Int) -> String? {
      check[quantity].map { t.decimal($0, places: places) }
    }
    return switch (check.name, check.outcome) {
    case (.times, _) where check.reason == .unreadableAppTime:
      t("the app's time cannot be read: the time of arrival is used instead")
    case (.origin, _) where check.reason == .unsealedApp:
      t("sent by a phone's app, not sealed by a device key")
    case (.appDigest, .agrees): t("pixels, time text and user as the app sent them")
    case (.appDigest, .contradicts):
      t("pixels, time text or user have changed since the app computed it")
    case (.appDigest, _) where check.reason == .lostAppTime:
      t("cannot be checked: the older office did not keep the time as the app wrote it")
    case (.appDigest, _): t("cannot be checked: the app sent none")
    case (.nmea, .notCheckable): t("cannot be checked: it sent none with a position")
    case (.nmea, _) where check.reason == .nowhere:
      t("the app sends 0, 0 if it never had a position")
    case (.nmea, _): t("their last position is {1} m away", number(.distanceMetres, 0) ?? "?")
    case (.computedPositions, .notCheckable): t("cannot be checked: it sent none")
    case (.computedPositions, _):
      t(
        "{1} of them, from {2} m to {3} m away", number(.computedCount, 0) ?? "?",
        number(.distanceMetres, 0) ?? "?", number(.furthestMetres, 0) ?? "?")
    default: nil
    }
  }
}
