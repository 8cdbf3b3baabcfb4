import TimeAndText

/// The words of the last page: what a reader who was not there may conclude, and what not.
extension PDFWords {
  static let closing = "What this shows, and what it does not"
  static func closingIntroduction(software: String, at time: DeviceTime) -> String {
    "This document is a reading copy. \(software) made it on \(seconds(time)) from what the agency"
      + " held then, and it is not sealed itself. What can be checked is the evidence that it"
      + " speaks of: the stored files, their records, seals and raw windows."
  }

  static let shows = "What an intact photo shows"
  static let showsItems = [
    "File and claims belong together and are what the device sealed: no byte has changed since.",
    "The seal was made with the key of one device. Whether this office enrolled that device is told"
      + " by the issuer, and only where the fingerprint below is given to the verifier.",
    "Between the captures of one key none was taken out and none put in.",
    "A standpoint was computed from the bytes that the receiver sent. They are kept with the photo,"
      + " and everybody who computes again gets the same place to 1 mm.",
  ]

  static let showsNot = "What no seal proves"
  static let showsNotItems = [
    "That the scene is real. A photo of a screen or of a print is sealed like any other.",
    "That the receiver was not deceived. A skilled transmitter can imitate the satellites.",
    "Who held the device. A seal names the device's key and who was signed in, not the hand.",
    "That nothing was left out at the end. What was deleted on a device after its last delivery"
      + " leaves no trace at the office.",
  ]

  static let howToCheck = "How to check it yourself"
  static let howToCheckText =
    "Ask the agency for the bundle of this task. This command needs neither a network nor this"
    + " office, today or in ten years:"
  static let howToCheckPhotoText =
    "Ask the agency for the photo's file with its record, its seal and its certificates, or, once an"
    + " officer has given it to a task, for the bundle of that task. This command needs neither a"
    + " network nor this office, today or in ten years:"
  static func command(fingerprint: String?) -> String {
    "standpoint verify BUNDLE --trust \(fingerprint ?? "FINGERPRINT")"
  }
  static let fingerprint = "SHA-256 fingerprint of the office's certification authority"
  static let fingerprintKnown =
    "Compare it with what the office itself prints at its start and shows on its sign-in page: a"
    + " fingerprint that comes with the evidence vouches for nothing. Without --trust anybody can"
    + " have made such a bundle."
  static let fingerprintMissing =
    "The fingerprint was not known when this document was made: ask the agency for it. Without"
    + " --trust anybody can have made such a bundle."

  static let numbers = "How to read the numbers"
  static let numbersItems = [
    "Latitude and longitude are degrees on WGS 84. The uncertainty is the radius in metres that"
      + " holds the true place with a probability of 95 %.",
    "± behind an azimuth or an angle is one standard deviation. An azimuth counts clockwise from"
      + " true north; an angle of 90° looks at the horizon, 0° straight down.",
    "GNSS time is the receiver's. Device time is the device's own clock, which can be wrong.",
    "“not known” means that receiver or device did not say. It never stands for 0.",
    "\u{FFFD} stands for a character that cannot be printed.",
  ]
}
