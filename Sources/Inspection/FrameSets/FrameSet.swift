import Geodesy
import Positioning
import TimeAndText

/// A standpoint at which a set begins or ends.
public struct SetStand: Hashable, Sendable {
  /// The position.
  public var position: PhotoPosition
  /// The standpoint computed from the samples.
  public var standpoint: Standpoint
  /// The receiver's time of the fix that completed it.
  public var gnssTime: GNSSTime
  /// The device's time of that moment.
  public var deviceTime: DeviceTime

  /// Creates a stand.
  public init(
    position: PhotoPosition, standpoint: Standpoint, gnssTime: GNSSTime, deviceTime: DeviceTime
  ) {
    self.position = position
    self.standpoint = standpoint
    self.gnssTime = gnssTime
    self.deviceTime = deviceTime
  }

  /// The stand as a place on the way.
  public var place: WalkedRound.Place {
    WalkedRound.Place(position.coordinate, uncertaintyMetres95: position.uncertaintyMetres95)
  }
}

/// The place at which a frame of a set was taken: the receiver's last fix.
public struct FramePlace: Hashable, Sendable {
  /// The time of the fix.
  public var gnssTime: GNSSTime
  /// The coordinate.
  public var coordinate: Coordinate
  /// The radius that holds the true place with 95 % probability, metres; nil if unknown.
  public var uncertaintyMetres95: Double?

  /// Creates a place.
  public init(gnssTime: GNSSTime, coordinate: Coordinate, uncertaintyMetres95: Double?) {
    self.gnssTime = gnssTime
    self.coordinate = coordinate
    self.uncertaintyMetres95 = uncertaintyMetres95
  }

  /// Creates the place of a fix; nil if the fix has no coordinate.
  public init?(_ fix: Fix) {
    guard let coordinate = fix.coordinate else { return nil }
    self.init(
      gnssTime: fix.time, coordinate: coordinate,
      uncertaintyMetres95: fix.horizontalUncertaintyMetres95)
  }
}

/// A frame of a set.
public struct SetFrame: Hashable, Sendable {
  /// The SHA-256 of the frame's file, in lower-case hexadecimal.
  public var digest: String
  /// The size of the file, bytes.
  public var bytes: Int
  /// The width, pixels.
  public var widthPixels: Int
  /// The height, pixels.
  public var heightPixels: Int
  /// The attitude against the first frame.
  public var attitude: FrameAttitude
  /// The acceleration without gravity, metres per second squared; nil if the device has no such
  /// sensor.
  public var accelerationMetresPerSecondSquared: Double?
  /// The quality by which the frame was kept, 0…1.
  public var quality: Double
  /// The time since the start of the set, seconds.
  public var seconds: Double
  /// The place at which the frame was taken; nil if the receiver was lost just then.
  public var place: FramePlace?
  /// True if the inspector may have been walking: no such frame is a task's ordinary photo.
  public var isMoving: Bool

  /// Creates a frame.
  public init(
    digest: String, bytes: Int, widthPixels: Int, heightPixels: Int, attitude: FrameAttitude,
    accelerationMetresPerSecondSquared: Double?, quality: Double, seconds: Double,
    place: FramePlace?,
    isMoving: Bool
  ) {
    self.digest = digest
    self.bytes = bytes
    self.widthPixels = widthPixels
    self.heightPixels = heightPixels
    self.attitude = attitude
    self.accelerationMetresPerSecondSquared = accelerationMetresPerSecondSquared
    self.quality = quality
    self.seconds = seconds
    self.place = place
    self.isMoving = isMoving
  }
}

/// A set: one capture of many frames, begun and ended by a standpoint.
public struct FrameSet: Hashable, Sendable {
  /// The identifier, made on the device; also the identifier of the set's record.
  public var id: Identifier
  /// The stable name of the agency.
  public var agency: String
  /// The login of the inspector who took the set.
  public var inspector: String
  /// The task that the set belongs to; nil for a standalone set.
  public var task: Identifier?
  /// The terms under which it was taken.
  public var terms: FrameSetTerms
  /// The ring of its sectors.
  public var ring: SectorRing
  /// The standpoint at which it began.
  public var start: SetStand
  /// The standpoint at which it ended.
  public var end: SetStand
  /// The frames in the order of their files.
  public var frames: [SetFrame]
  /// True if a simulator or a replay stood in for the receiver.
  public var isSimulated: Bool
  /// The time at which Send put the set into the outbox; nil before that.
  public var sent: DeviceTime?
  /// The time at which a receipt for the set came; nil before that.
  public var delivered: DeviceTime?

  /// Creates a set.
  public init(
    id: Identifier, agency: String, inspector: String, task: Identifier?, terms: FrameSetTerms,
    ring: SectorRing, start: SetStand, end: SetStand, frames: [SetFrame], isSimulated: Bool,
    sent: DeviceTime? = nil, delivered: DeviceTime? = nil
  ) {
    self.id = id
    self.agency = agency
    self.inspector = inspector
    self.task = task
    self.terms = terms
    self.ring = ring
    self.start = start
    self.end = end
    self.frames = frames
    self.isSimulated = isSimulated
    self.sent = sent
    self.delivered = delivered
  }

  /// The judgement of the set's sectors and of its way.
  public var summary: FrameSetSummary {
    FrameSetSummary(
      terms: terms, ring: ring, angles: frames.map(\.attitude.angleDegrees),
      walked: terms.kind.isWalked ? walked : nil)
  }

  /// The receiver's judgement of the way, in the order of the frames' times.
  private var walked: WalkedRound {
    let way = frames.sorted { $0.seconds < $1.seconds }.compactMap(\.place)
    return WalkedRound(
      from: start.place,
      along: way.map {
        WalkedRound.Place($0.coordinate, uncertaintyMetres95: $0.uncertaintyMetres95)
      }, to: end.place, sectorDegrees: ring.widthDegrees)
  }
}

/// The judgement of a set: what it shows, and what is missing.
public struct FrameSetSummary: Hashable, Sendable {
  /// The number of sectors.
  public var sectors: Int
  /// The number of sectors that hold a frame.
  public var filled: Int
  /// True if enough sectors hold a frame.
  public var isComplete: Bool
  /// The middles of the empty sectors, degrees, ascending.
  public var missingDegrees: [Double]
  /// The receiver's judgement of the way; nil for a turn on the spot.
  public var walked: WalkedRound?

  /// Judges a set.
  /// - Parameter angles: the angles of its frames, degrees.
  public init(
    terms: FrameSetTerms, ring: SectorRing, angles: [Double], walked: WalkedRound?
  ) {
    let held = Set(angles.map(ring.sector(ofDegrees:)))
    sectors = ring.count
    filled = held.count
    isComplete = held.count >= terms.sectorsForComplete
    missingDegrees = (0..<ring.count).filter { !held.contains($0) }.map(ring.middleDegrees)
      .sorted()
    self.walked = walked
  }

  /// The sentences about what the set lacks; none if nothing is.
  public var shortcomings: [Wording] {
    var words: [Wording] = []
    if !isComplete {
      words.append("incomplete: \(filled) of \(sectors) sectors have a picture")
    }
    guard let walked else { return words }
    switch (walked.isRound, walked.coveredDegrees) {
    case (false?, let covered?):
      words.append(
        "the way does not go round: seen from its middle, it covers \(decimal: abs(covered), places: 0)° of the \(decimal: WalkedRound.leastDegrees, places: 0)° that it must cover"
      )
    case (nil, _):
      words.append("the receiver cannot tell whether the way goes round: it is too small")
    default: break
    }
    if walked.isClosed == false {
      words.append(
        "the end is \(decimal: walked.closingMetres, places: 1) m from the start: more than both positions are uncertain"
      )
    }
    return words
  }
}
