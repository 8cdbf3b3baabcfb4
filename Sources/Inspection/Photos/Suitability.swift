import TimeAndText

/// The suitability of a photo as a basis for a decision: it must be taken at the place, towards the
/// parcel, in time, under the rules and by a camera. Authenticity is a separate question, which the
/// seal answers: an imported picture, or a photo taken outside the parcel, may be fully authentic.
public struct Suitability: Hashable, Sendable {
  /// A reason against a photo.
  public enum Reason: String, Hashable, Sendable, CaseIterable {
    /// The photo was taken outside the parcel.
    case outside
    /// The lens looked away from the parcel.
    case aim
    /// The clocks disagree, or were turned back.
    case times
    /// The photo was taken under another revision of the order.
    case order
    /// The photo breaks the agency's rules.
    case policy
    /// Another photo has the same picture.
    case reused
    /// The picture came from a file, not from the camera.
    case imported
    /// A simulator or a replay stood in for the receiver.
    case simulated
    /// The receiver's data are not those of a receiver at that place and hour.
    case receiver

    /// The words on the badge.
    public var wording: Wording {
      switch self {
      case .outside: "outside the parcel"
      case .aim: "aimed elsewhere"
      case .times: "the time is in doubt"
      case .order: "taken for an earlier order"
      case .policy: "breaks the rules"
      case .reused: "a picture used before"
      case .imported: "an imported picture"
      case .simulated: "a simulated receiver"
      case .receiver: "the receiver is in doubt"
      }
    }
  }

  /// The reasons against the photo, in the order of the cases; empty for a suitable photo.
  public let reasons: [Reason]

  /// True if no reason speaks against the photo.
  public var isSuitable: Bool { reasons.isEmpty }

  /// Finds the reasons in the photo itself and in the checks that contradict it.
  public init(_ photo: Photo, checks: [PhotoCheck]) {
    let against = Set(checks.filter { $0.outcome == .contradicts }.map(\.name))
    reasons = Reason.allCases.filter { reason in
      switch reason {
      case .outside: against.contains(.parcel)
      case .aim: against.contains(.aim)
      case .times: against.contains(.times)
      case .order: against.contains(.order)
      case .policy: against.contains(.policy)
      case .reused: against.contains(.reused)
      case .imported: photo.origin == .imported
      case .simulated: photo.isSimulated
      case .receiver: against.contains(.sky) || against.contains(.noise)
      }
    }
  }
}

/// The way in which a picture came to the field unit.
public enum CameraWay: String, Hashable, Sendable, CaseIterable {
  /// The browser's camera took a still.
  case still
  /// The browser sent a frame of its live picture.
  case liveFrame
  /// A command of the device took the picture.
  case command
  /// The picture came from a file of any source.
  case imported

  /// The rule of an agency's policy that allows this way.
  public var rule: CaptureRule {
    switch self {
    case .still, .liveFrame: .browser
    case .command: .command
    case .imported: .imported
    }
  }

  /// The words for officers.
  public var wording: Wording {
    switch self {
    case .still: "the browser's camera, a still"
    case .liveFrame: "the browser's camera, a frame of the live picture"
    case .command: "a command of the device"
    case .imported: "an imported file"
    }
  }
}
