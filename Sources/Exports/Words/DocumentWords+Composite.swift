/// The words on composites.
extension DocumentWords {
  var composites: String { t("Composites") }
  var composite: String { t("Composite, not a photograph") }
  var compositeIsNoEvidence: String {
    t("Made from the two photos below it. It is no evidence and has no place of its own.")
  }
  func below(_ taken: String, _ id: String) -> String { t("Below: {1}", "\(taken), \(short(id))") }
  func above(_ taken: String, _ id: String) -> String { t("Above: {1}", "\(taken), \(short(id))") }
  func notShown(_ what: String, _ reason: String) -> String {
    t("“{1}” cannot be shown: {2}.", what, reason)
  }
  func compositeMade(by person: String, at moment: String) -> String {
    t("Made by {1}, {2}. Both photos are shown at one scale.", person, moment)
  }

  /// Returns the end of an identifier, by which people find a photo in the lists.
  private func short(_ id: String) -> String { "…" + id.suffix(8) }
}
