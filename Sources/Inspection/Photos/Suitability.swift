import Positioning

/// Whether a photo is fit to decide upon: taken at the place, towards it, in time, under the rules, by a camera. That is
/// another question than whether it is authentic, which its seal answers: an imported picture, or one that was taken
/// beside the parcel, may be as authentic as any.
public struct Suitability: Hashable, Sendable {
  /// What speaks against it.
  public enum Reason: String, Hashable, Sendable, CaseIterable {
    /// It was taken outside the parcel.
    case outside
    /// The lens looked elsewhere.
    case aim
    /// The clocks disagree, or were turned back.
    case times
    /// The order was another one.
    case order
    /// The agency's rules were not kept.
    case policy
    /// The same picture is another photo's.
    case reused
    /// It is a picture from elsewhere.
    case imported
    /// A simulator or a replay stood in for the receiver.
    case simulated

    /// The words on a badge.
    public var wording: Wording {
      switch self {
      case .outside: "outside the parcel"
      case .aim: "aimed elsewhere"
      case .times: "the time is in doubt"
      case .order: "taken under another order"
      case .policy: "against the rules"
      case .reused: "a picture used before"
      case .imported: "an imported picture"
      case .simulated: "a simulated receiver"
      }
    }
  }

  /// What speaks against it, the first thing first; empty for a photo that is fit.
  public let reasons: [Reason]

  /// Whether nothing speaks against it.
  public var isSuitable: Bool { reasons.isEmpty }

  /// By what a photo is and what was checked of it.
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
      }
    }
  }
}

/// How a picture came to the field unit.
public enum CameraWay: String, Hashable, Sendable, CaseIterable {
  /// The browser's camera took a still.
  case still
  /// The browser handed over a frame of its live picture.
  case liveFrame
  /// A command of the device took it.
  case command
  /// It was a file, from wherever.
  case imported

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
