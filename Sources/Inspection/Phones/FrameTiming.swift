import TimeAndText

/// One question of a page to the field unit's clock, and the answer.
///
/// A page counts from 1970 by its own clock, which may be set wrong by days; the field unit counts from
/// its start. Only differences on one clock mean anything.
public struct ClockRoundTrip: Hashable, Sendable {
  /// The longest round trip that counts as one, in ms.
  public static let millisecondsAtMost = 10_000.0
  /// The largest time of a page's clock that is read, in ms since 1970: the year 5138.
  static let latestMilliseconds = 1e14

  /// The page's time when it asked, ms.
  public let askedMilliseconds: Double
  /// The field unit's time in its answer, ms.
  public let toldMilliseconds: Double
  /// The page's time when the answer was in, ms.
  public let heardMilliseconds: Double

  /// Creates a round trip; nil if a time is none, or if the answer came before the question or took
  /// longer than a round trip can.
  public init?(askedMilliseconds: Double, toldMilliseconds: Double, heardMilliseconds: Double) {
    let took = heardMilliseconds - askedMilliseconds
    guard abs(askedMilliseconds) < Self.latestMilliseconds, toldMilliseconds >= 0,
      toldMilliseconds < Self.latestMilliseconds, took >= 0, took <= Self.millisecondsAtMost
    else { return nil }
    self.askedMilliseconds = askedMilliseconds
    self.toldMilliseconds = toldMilliseconds
    self.heardMilliseconds = heardMilliseconds
  }

  /// The field unit's clock minus the page's, ms: the answer lies in the middle of the round trip.
  var offsetMilliseconds: Double {
    toldMilliseconds - (askedMilliseconds + heardMilliseconds) / 2
  }

  /// The most by which the offset can be wrong, ms: all of the delay may lie on one side.
  var uncertaintyMilliseconds: Double { (heardMilliseconds - askedMilliseconds) / 2 }
}

/// The time of a frame as its page tells it.
public struct ToldFrameTime: Hashable, Sendable {
  /// The page's time before which the frame cannot be, ms.
  public let fromMilliseconds: Double
  /// The page's time after which the frame cannot be, ms.
  public let toMilliseconds: Double
  /// The round trip by which both clocks are compared.
  public let roundTrip: ClockRoundTrip

  /// Creates a time; nil if the end is before the start.
  public init?(fromMilliseconds: Double, toMilliseconds: Double, roundTrip: ClockRoundTrip) {
    let latest = ClockRoundTrip.latestMilliseconds
    guard abs(fromMilliseconds) < latest, abs(toMilliseconds) < latest,
      toMilliseconds >= fromMilliseconds
    else { return nil }
    self.fromMilliseconds = fromMilliseconds
    self.toMilliseconds = toMilliseconds
    self.roundTrip = roundTrip
  }
}

/// The time between a photo's fix and its frame.
///
/// The obvious idea: believe the time that the page tells. It fails with a page that lies, and with a
/// phone whose clock is a day off.
///
/// Approach: the field unit knows by its own clock when it asked for the picture and when the picture's
/// digest was here; the frame was made between. The page's time, moved to the field unit's clock by a
/// round trip, can only narrow that span. Where both contradict each other, there is no photo. Within the
/// span a page can lie, so the span itself has a limit.
public struct FrameTiming: Hashable, Sendable {
  /// The time from the fix to the frame, seconds: the middle of the span that is left.
  public let delaySeconds: Double
  /// Half of that span, seconds.
  public let delayUncertaintySeconds: Double
  /// The time from the fix to the arrival of the frame's digest, or of its last byte, seconds: no frame
  /// can be later, whatever the page tells.
  public let delaySecondsAtMost: Double
  /// The page's clock minus the field unit's device time, seconds; nil if the page compared none.
  public let clockOffsetSeconds: Double?
  /// The most by which the offset can be wrong, seconds; nil if the page compared none.
  public let clockOffsetUncertaintySeconds: Double?

  /// The moments of a capture by the field unit's own clock.
  public struct Moments: Hashable, Sendable {
    /// The age of the fix when the picture was asked for, seconds.
    public var fixAgeSeconds: Double
    /// The elapsed time at which the picture was asked for.
    public var asked: ElapsedTime
    /// The elapsed time at which its digest, or its last byte, was here.
    public var arrived: ElapsedTime
    /// The device time at `arrived`.
    public var deviceTime: DeviceTime

    /// Creates the moments.
    public init(
      fixAgeSeconds: Double, asked: ElapsedTime, arrived: ElapsedTime, deviceTime: DeviceTime
    ) {
      (self.fixAgeSeconds, self.asked, self.arrived) = (fixAgeSeconds, asked, arrived)
      self.deviceTime = deviceTime
    }
  }

  /// The page tells a time at which the frame cannot have been made.
  public struct Contradiction: Error, Hashable, Sendable {
    /// The time from the frame to the span in which it was made, seconds; negative before it.
    public let seconds: Double
  }

  /// Computes the timing of a frame.
  /// - Parameter told: the time that its page tells; nil if it tells none.
  /// - Throws: `Contradiction` if that time lies outside the span by more than it can be wrong.
  public init(_ moments: Moments, told: ToldFrameTime?) throws(Contradiction) {
    let asked = Double(moments.asked.milliseconds)
    let arrived = max(asked, Double(moments.arrived.milliseconds))
    var (from, to) = (asked, arrived)
    if let told {
      let trip = told.roundTrip
      let slack = trip.uncertaintyMilliseconds
      let first = told.fromMilliseconds + trip.offsetMilliseconds
      let last = told.toMilliseconds + trip.offsetMilliseconds
      guard last + slack >= asked else { throw Contradiction(seconds: (last - asked) / 1000) }
      guard first - slack <= arrived else { throw Contradiction(seconds: (first - arrived) / 1000) }
      (from, to) = (max(asked, first - slack), min(arrived, last + slack))
      // The device's time at the round trip's answer is that at the arrival, less what passed since.
      let device =
        Double(moments.deviceTime.millisecondsSince1970)
        - (Double(moments.arrived.milliseconds) - trip.toldMilliseconds)
      let page = (trip.askedMilliseconds + trip.heardMilliseconds) / 2
      clockOffsetSeconds = (page - device) / 1000
      clockOffsetUncertaintySeconds = slack / 1000
    } else {
      (clockOffsetSeconds, clockOffsetUncertaintySeconds) = (nil, nil)
    }
    delaySeconds = moments.fixAgeSeconds + ((from + to) / 2 - asked) / 1000
    delayUncertaintySeconds = (to - from) / 2000
    delaySecondsAtMost = moments.fixAgeSeconds + (arrived - asked) / 1000
  }

  /// Creates a timing that was computed earlier and is now read from a record.
  public init(
    delaySeconds: Double, delayUncertaintySeconds: Double, delaySecondsAtMost: Double,
    clockOffsetSeconds: Double?, clockOffsetUncertaintySeconds: Double?
  ) {
    self.delaySeconds = delaySeconds
    self.delayUncertaintySeconds = delayUncertaintySeconds
    self.delaySecondsAtMost = delaySecondsAtMost
    self.clockOffsetSeconds = clockOffsetSeconds
    self.clockOffsetUncertaintySeconds = clockOffsetUncertaintySeconds
  }

  /// The longest delay with which a frame still belongs to its fix, unless the agency has set a shorter
  /// one, seconds.
  public static let usualLimitSeconds = 0.5

  /// The longest time from the fix to the arrival of the frame's digest, seconds. A page that lies can
  /// move its frame within that time, and a network that loses packets needs some of it.
  public static let longestSecondsAtMost = 5.0
}

extension FrameTiming {
  /// Returns the refusal of a frame that does not belong to its fix; nil if it does.
  public func refusal(limitSeconds: Double) -> GateRefusal? {
    if delaySeconds > limitSeconds {
      return GateRefusal(
        code: "frame-late",
        wording:
          "the picture came \(decimal: delaySeconds, places: 3) s after its position, and \(decimal: limitSeconds, places: 3) s are allowed: try again"
      )
    }
    let longest = Self.longestSecondsAtMost
    guard delaySecondsAtMost > longest else { return nil }
    return GateRefusal(
      code: "frame-late",
      wording:
        "the picture was not here \(decimal: longest, places: 0) s after its position: try again, nearer to the field unit"
    )
  }
}

extension FrameTiming.Contradiction {
  /// The refusal of the photo.
  public var refusal: GateRefusal {
    GateRefusal(
      code: "frame-time",
      wording:
        "the page says that its picture is \(decimal: min(abs(seconds), 1e6), places: 1) s away from the moment at which it was asked for: reload the page, and try again"
    )
  }
}
