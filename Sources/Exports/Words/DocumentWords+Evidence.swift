import PDFWriting
import TimeAndText

/// The words on evidence: what a reader who was not there may conclude, what not, and how anybody
/// checks it.
extension DocumentWords {
  var evidence: String { t("Evidence, and how to check it") }
  var readingCopy: String {
    t(
      "This document is a reading copy and not sealed itself. The evidence is the stored files, their records, seals and raw windows."
    )
  }
  var shows: String { t("What an intact photo shows") }
  var showsItems: [String] {
    [
      t("File and claims belong together, and no byte has changed since the device sealed them."),
      t(
        "The seal was made with the key of one device. The issuer tells whether this office enrolled it, where you give the fingerprint below to the verifier."
      ),
      t("Between the captures of one key none was taken out and none put in."),
      t(
        "The standpoint was computed from the receiver's bytes, which are kept. Anybody who computes again gets the same place to 1 mm."
      ),
    ]
  }
  var showsNot: String { t("What no seal proves") }
  var showsNotItems: [String] {
    [
      t("That the scene is real. A photo of a screen or of a print is sealed like any other."),
      t("That the receiver was not deceived. A skilled transmitter can imitate the satellites."),
      t("Who held the device. A seal names the device's key and who was signed in, not the hand."),
      t(
        "That nothing was left out at the end. Photos deleted on a device after its last delivery leave no trace at the office."
      ),
    ]
  }
  var numbers: String { t("How to read the numbers") }
  var numbersItems: [String] {
    [
      t(
        "Places are degrees on WGS 84. The uncertainty is the radius in metres that holds the true place with a probability of 95 %."
      ),
      t(
        "± behind a direction is one standard deviation. Directions count clockwise from true north."
      ),
      t(
        "Times are UTC, by the receiver unless they say otherwise. A device's own clock can be wrong."
      ),
      t("“not known” means that receiver or device did not say. It never stands for 0."),
      t("{1} stands for a character that cannot be printed.", PDFTypeface.replacement),
    ]
  }

  var howToCheckText: String {
    t(
      "Ask the agency for the bundle of this task. This command needs neither a network nor this office, today or in ten years:"
    )
  }
  var howToCheckPhotoText: String {
    t(
      "Ask the agency for the photo's file with its record, seal and certificates, or for the bundle of its task. This command needs neither a network nor this office, today or in ten years:"
    )
  }
  func command(fingerprint: String?) -> String {
    "standpoint verify BUNDLE --trust \(fingerprint ?? "FINGERPRINT")"
  }
  var fingerprint: String { t("SHA-256 fingerprint of the office's certification authority") }
  var fingerprintKnown: String {
    t(
      "Compare the fingerprint with the one that the office prints at its start and shows on its sign-in page. Without --trust anybody can have made such a bundle."
    )
  }
  var fingerprintMissing: String {
    t(
      "The fingerprint was not known when this document was made: ask the agency for it. Without --trust anybody can have made such a bundle."
    )
  }
  var evidenceDigest: String { t("Evidence digest") }
  func evidenceDigest(_ digest: String, files count: Int) -> String {
    t(
      "{1}, the SHA-256 of the attached {2}, which lists all files: {3}", digest, EvidenceList.name,
      count)
  }
  func attached(_ count: Int) -> String {
    t(
      "Files attached to this document: {1}. Readers show them, and “pdfdetach” takes them out.",
      count)
  }
  var recordMeaning: String { "sealed record of a photo" }
  var evidenceMeaning: String {
    "all files of the evidence with their digests, for sha256sum --check"
  }
}
