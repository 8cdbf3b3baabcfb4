import Geodesy

/// The best frame of each sector so far, and the decision about the next one.
///
/// The frames' pictures are the caller's: `Frame` is whatever the caller needs to find them again.
public struct SectorKeeper<Frame: Sendable>: Sendable {
  /// A frame that is kept.
  public struct Kept: Sendable {
    /// The caller's frame.
    public var frame: Frame
    /// The attitude of the frame against the first one.
    public var attitude: FrameAttitude
    /// The quality of the frame.
    public var quality: FrameQuality
  }

  /// The decision about a frame.
  public enum Decision: Hashable, Sendable {
    /// The frame is kept, and is the first of its sector.
    case filled(sector: Int)
    /// The frame is kept, and takes the place of a worse one.
    case better(sector: Int)
    /// The frame is discarded: its sector holds one that is at least as good.
    case notBetter
    /// The frame is discarded: its quality is below the least.
    case poor
  }

  /// The sectors.
  public let ring: SectorRing
  /// The weights by which frames are judged.
  public let weights: FrameQuality.Weights
  /// The frame of each sector; nil for an empty one.
  public private(set) var sectors: [Kept?]
  /// The number of sectors that hold a frame.
  public private(set) var filled = 0

  /// Creates a keeper with empty sectors.
  public init(ring: SectorRing, weights: FrameQuality.Weights = .usual) {
    (self.ring, self.weights) = (ring, weights)
    sectors = Array(repeating: nil, count: ring.count)
  }

  /// Decides about a frame without taking it, so that a picture is only made for a frame that will
  /// be kept.
  public func decision(
    _ attitude: FrameAttitude, accelerationMetresPerSecondSquared: Double?
  ) -> (decision: Decision, quality: FrameQuality) {
    let quality = FrameQuality(
      attitude, accelerationMetresPerSecondSquared: accelerationMetresPerSecondSquared, in: ring,
      weights: weights)
    guard quality.isEnough else { return (.poor, quality) }
    let sector = ring.sector(ofDegrees: attitude.angleDegrees)
    guard let held = sectors[sector] else { return (.filled(sector: sector), quality) }
    return (held.quality < quality ? .better(sector: sector) : .notBetter, quality)
  }

  /// Takes the next frame, or discards it.
  /// - Returns: the decision, and the frame whose place was taken; nil if there is none.
  public mutating func offer(
    _ frame: Frame, _ attitude: FrameAttitude, accelerationMetresPerSecondSquared: Double?
  ) -> (decision: Decision, replaced: Frame?) {
    let (decision, quality) = decision(
      attitude, accelerationMetresPerSecondSquared: accelerationMetresPerSecondSquared)
    switch decision {
    case .poor, .notBetter: return (decision, nil)
    case .filled(let sector), .better(let sector):
      let replaced = sectors[sector]?.frame
      if replaced == nil { filled += 1 }
      sectors[sector] = Kept(frame: frame, attitude: attitude, quality: quality)
      return (decision, replaced)
    }
  }

  /// The middles of the sectors that hold no frame, degrees, ascending.
  public var missingDegrees: [Double] {
    sectors.indices.filter { sectors[$0] == nil }.map(ring.middleDegrees).sorted()
  }

  /// The kept frames in the order of their files.
  public var ordered: [Kept] {
    let kept = sectors.compactMap(\.self)
    return FrameOrder.order(
      kept.map(\.attitude.angleDegrees), isFullRing: filled == ring.count
    ).map { kept[$0] }
  }
}
