import Evidence
import Foundation
import Inspection
import Positioning

/// The words about evidence, volumes, tracks and the appendix.
extension PDFWords {
  // MARK: evidence

  static let evidence = "What the seals prove"
  static let verdicts = "Verdicts"
  static func verdicts(_ verdicts: [EvidenceVerdict?]) -> String {
    let kinds: [EvidenceVerdict?] = [.intact, .doubtful, .incomplete, .altered, nil]
    let words = kinds.compactMap { kind in
      let count = verdicts.count { $0 == kind }
      return count == 0 ? nil : "\(count) \(word(kind).lowercased())"
    }
    return words.isEmpty ? none : words.joined(separator: ", ")
  }
  static let evidenceDigest = "Evidence digest"
  static let evidenceFiles = "Evidence files"
  static func evidenceFiles(_ count: Int) -> String {
    "\(count), listed in the attached \(EvidenceList.name); the digest above is that list's SHA-256"
  }
  static let sealsProve =
    "The seal of an intact photo proves that file and claims belong together, that the key of one device"
    + " sealed them, that not a byte has changed since, and that between this device's captures none was"
    + " taken out and none put in."
  static let sealsProveNot =
    "No seal proves that the scene is real, that the receiver was not deceived, or who held the device. The"
    + " last page says how anybody checks all of it."

  // MARK: volumes

  static let volumes = "Volumes"
  static func volumes(_ count: Int) -> String {
    "\(count); this one holds the task, its tracks and the first photos"
  }
  static func volume(_ number: Int, of count: Int) -> String { "Volume \(number) of \(count)" }
  static func volumeHolds(_ number: Int, of count: Int, photos: Range<Int>) -> String {
    "\(volume(number, of: count)): photos \(photos.lowerBound + 1) to \(photos.upperBound)"
  }
  static let volumeFirst =
    "The task, its history, the map of all photos and its tracks stand in the first volume."

  // MARK: a photo

  static let codeMeans = "The file's SHA-256, as it stands below, for a camera"

  // MARK: a track

  static func track(_ number: Int) -> String { "Track T\(number)" }
  static let trackStarted = "Started"
  static let trackEnded = "Ended"
  static let trackDuration = "Duration"
  static let points = "Points"
  static let length = "Length"
  static let radii = "± m (95 %)"
  static func points(_ count: Int, _ kinds: [TrackPoint.Kind: Int]) -> String {
    let set = (kinds[.vertex] ?? 0) + (kinds[.centroidVertex] ?? 0)
    return set == 0 ? "\(count)" : "\(count), \(set) set by hand"
  }
  static func radii(_ radii: TrackRadii) -> String {
    let numbers = [radii.least, radii.median, radii.most].map { number($0, places: 2) ?? "–" }
    return radii.median == nil ? notKnown : numbers.joined(separator: " · ")
  }
  static let gaps = "Gaps"
  static let gapsNone = "The recording has no gap."
  static let gapsColumns = ["Goes on at", "Seconds", "Because"]
  static func gapsMore(_ count: Int) -> String { "Further gaps, not listed here: \(count)." }
  static func gap(_ gap: TrackPoint.Gap) -> String {
    switch gap {
    case .noFix: "the receiver had no position"
    case .silence: "the receiver said nothing"
    case .paused: "the inspector had paused the recording"
    case .interrupted: "the program was not running"
    case .deleted: "the inspector has deleted what was recorded there"
    }
  }

  // MARK: the appendix

  static let appendix = "Appendix: reception"
  static let appendixFrom =
    "From the sealed records and tracks. Three numbers are the least, the median and the most."
  static let receivers = "Receivers"
  static let photosWithRecord = "Photos with record"
  static let satellites = "Satellites used"
  static let constellations = "Constellations"
  static let density = "Carrier to noise"
  static let dilution = "HDOP"
  static let speedBelow = "Speed below (95 %)"
  static let worth = "Worth independent"
  static func span(_ numbers: [String], unit: String, of count: Int) -> String {
    let text = numbers.joined(separator: " · ")
    return (unit.isEmpty ? text : "\(text) \(unit)") + " (of \(count))"
  }
  static func constellations(_ counts: [String: Int]) -> String {
    guard !counts.isEmpty else { return notKnown }
    return counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      .map { "\($0.key) \($0.value)" }.joined(separator: ", ")
  }
  static func satellites(_ reception: Reception?) -> String {
    guard let reception, let used = reception.satellitesUsed else { return "–" }
    guard !reception.constellations.isEmpty else { return "\(used)" }
    return "\(used): \(constellations(reception.constellations))"
  }
  static let receptionColumns = [
    "No.", "Fix", "Satellites", "dB-Hz", "HDOP", "m/s <", "± m", "Samples", "Age s",
  ]
  static let receptionColumnsMean =
    "dB-Hz: median of the satellites used. m/s <: the speed that the gate's window excludes with 95 %. ± m: the"
    + " fix at the shutter, 95 %. Samples: taken / worth so many independent ones. Age s: of that fix."
  static let trackReceptionColumns = ["No.", "Name", "Points", "Points a second", radii, "Gaps"]

  // MARK: the fields

  static let fieldNames = "Names of the fields"
  static let fieldNamesMean =
    "CSV, GeoJSON, GeoPackage, KML and GPX have the same things under these names, numbers in these units."
  static let fieldNamesColumns = ["Table", "In this document", "In the other exports", "Unit"]
  static let fixQuality = "Fix"
  static let fixUncertainty = "± m of the fix"
  static let fixAge = "Age of the fix"
  static let areaPlusMinus = "Area, ±"

  // MARK: attachments

  static let attached = "Attached files"
  static let attachedMeans =
    "These files lie in this document; readers show them as attachments, and \"pdfdetach\" takes them out."
  static let attachedColumns = ["Name", "Bytes", "SHA-256"]
  static let recordMeaning = "sealed record of a photo"
  static let evidenceMeaning = "all files of the evidence with their digests, for sha256sum --check"
}
