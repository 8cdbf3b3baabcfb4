import Inspection
import Positioning
import Web

extension CheckWords {
  /// The checks that only a phone's photo has.
  func phone(
    _ check: PhotoCheck, _ number: (PhotoCheck.Quantity, Int) -> String?
  ) -> String {
    switch (check.name, check.outcome) {
    case (.appDigest, .agrees): t("pixels, time text and user as the app sent them")
    case (.appDigest, .contradicts):
      t("pixels, time text or user are not those that the app made it over")
    case (.appDigest, _) where check.words == PhoneChecks.lost:
      t("not checkable: the older office kept the time, and not as the app wrote it")
    case (.appDigest, _): t("not checkable: the app sent none")
    case (.nmea, .notCheckable): t("not checkable: it sent none with a position")
    case (.nmea, _) where check.words == "nowhere":
      t("the app sends 0, 0 where it has never had a position")
    case (.nmea, _): t("their last position is {1} m away", number(.distanceMetres, 0) ?? "?")
    case (.computedPositions, .notCheckable): t("not checkable: it sent none")
    default:
      t(
        "{1} of them, from {2} m to {3} m away", number(.computedCount, 0) ?? "?",
        number(.distanceMetres, 0) ?? "?", number(.furthestMetres, 0) ?? "?")
    }
  }
}
