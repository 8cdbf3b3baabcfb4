import Positioning
import TimeAndText

/// The verifier's verdict on everything together, from best to worst.
public enum EvidenceVerdict: String, Hashable, Comparable, Sendable {
  /// Everything holds.
  case intact
  /// All bytes hold, but a check does not.
  case doubtful
  /// A named thing is missing, or an unnamed one is there.
  case incomplete
  /// Bytes, signatures or certificates do not hold.
  case altered

  private var rank: Int {
    switch self {
    case .intact: 0
    case .doubtful: 1
    case .incomplete: 2
    case .altered: 3
    }
  }

  /// Returns true if the left verdict is the better one: a worse verdict is greater.
  public static func < (left: EvidenceVerdict, right: EvidenceVerdict) -> Bool {
    left.rank < right.rank
  }
}

/// One thing that the verifier noticed.
public struct Finding: Hashable, Sendable {
  /// The effect of a finding on the verdict.
  public enum Severity: String, Hashable, Sendable {
    /// Worth knowing, but without effect on the verdict.
    case note
    case doubtful
    case incomplete
    case altered

    /// The verdict that a finding of this severity leads to.
    public var verdict: EvidenceVerdict {
      switch self {
      case .note: .intact
      case .doubtful: .doubtful
      case .incomplete: .incomplete
      case .altered: .altered
      }
    }
  }

  /// The checks of the verifier. Their names are stable.
  public enum Check: String, Hashable, Sendable, CaseIterable {
    /// The seal file itself: form, signature, record.
    case seal
    /// The stored file against the seal.
    case file
    /// The picture's image data against the record.
    case image
    /// The photo's EXIF against the record.
    case exif
    /// The photo's XMP against the record.
    case xmp
    /// The photo's C2PA manifest against its bytes and the record.
    case manifest
    /// The raw window against the seal.
    case rawWindow = "raw-window"
    /// The standpoint recomputed from the raw window.
    case standpoint
    /// Places in the key's chain.
    case chain
    /// Clocks against each other.
    case times
    /// A simulator or a replay in the receiver's place.
    case simulated
    /// Imported pictures.
    case origin
    /// An office's log.
    case log
    /// A key that the office has revoked.
    case revoked
    /// The same picture in two captures.
    case reused
    /// Bytes that were deleted before they were sent.
    case deletion
    /// A time authority's word for when a checkpoint of the office's log was there.
    case timestamp
    /// The office's list of a bundle's files.
    case list
    /// Files that no seal names.
    case unnamed
    /// Files of a capture that was cut off before it was acknowledged.
    case unfinished
    /// The certificate of the key of a seal: who vouches for the key, and for whom.
    case certificate
    /// The office's word that it holds records and files.
    case receipt
    /// A composite of two photos, which is no evidence, against the photos from which it was made.
    case composite
  }

  /// Path of the file, or name of the key.
  public var subject: String
  /// The check that found it.
  public var check: Check
  /// The severity of the finding.
  public var severity: Severity
  /// The message for people.
  public var wording: Wording
  /// The message in English.
  public var message: String { wording.description }

  /// Creates a finding.
  public init(subject: String, check: Check, severity: Severity, wording: Wording) {
    self.subject = subject
    self.check = check
    self.severity = severity
    self.wording = wording
  }
}
