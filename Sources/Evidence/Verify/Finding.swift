import Positioning

/// What the verifier says of everything together, from best to worst.
public enum EvidenceVerdict: String, Hashable, Comparable, Sendable {
  /// Everything holds.
  case intact
  /// All bytes hold, a check does not.
  case doubtful
  /// Something named is missing, or something unnamed is there.
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

  /// A worse verdict is greater.
  public static func < (left: EvidenceVerdict, right: EvidenceVerdict) -> Bool {
    left.rank < right.rank
  }
}

/// One thing that the verifier noticed.
public struct Finding: Hashable, Sendable {
  /// What a finding makes of the verdict.
  public enum Severity: String, Hashable, Sendable {
    /// Worth knowing; it takes nothing from the verdict.
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

  /// Which checks there are. Their names are stable.
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
    /// Files that no seal names.
    case unnamed
    /// Files of a capture that was cut off before it was acknowledged.
    case unfinished
    /// Who vouches for the key of a seal, and for whom.
    case certificate
    /// What the office says that it holds.
    case receipt
  }

  /// Path of the file, or name of the key.
  public var subject: String
  /// The check that found it.
  public var check: Check
  /// How bad it is.
  public var severity: Severity
  /// What it is, for people.
  public var wording: Wording
  /// The same in English.
  public var message: String { wording.description }

  /// A finding from its parts.
  public init(subject: String, check: Check, severity: Severity, wording: Wording) {
    self.subject = subject
    self.check = check
    self.severity = severity
    self.wording = wording
  }
}

/// Who vouches for the keys that sealed.
public enum Issuer: String, Hashable, Sendable {
  /// The authority that the caller trusts, for every one of them.
  case trusted
  /// Nobody whom the caller named: anybody can make an authority.
  case unknown
}

/// The verifier's result.
public struct VerificationReport: Hashable, Sendable {
  /// The worst of all findings.
  public var verdict: EvidenceVerdict
  /// How many seals were checked.
  public var checked: Int
  /// How many offices' logs were checked.
  public var logs: Int
  /// Thumbprints of the keys that sealed.
  public var keys: [String]
  /// Whether the authority that the caller trusts vouches for every key that sealed.
  public var issuer: Issuer
  /// SHA-256 of the certificate of the authority that vouches for them; nil when none does, or
  /// several do and none of them is trusted.
  public var issuerFingerprint: String?
  /// Everything noticed, in the order of the subjects.
  public var findings: [Finding]
}
