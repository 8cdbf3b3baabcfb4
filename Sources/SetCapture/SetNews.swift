import FieldUnit
import Inspection
import Positioning
import TimeAndText

/// The steps of taking a set.
package enum SetPhase: String, Hashable, Sendable {
  /// The inspector stands still for the first standpoint.
  case opening
  /// Frames are taken.
  case taking
  /// The inspector stands still for the last standpoint.
  case closing
  /// The set is sealed, or given up.
  case over
}

/// The state of a set that is being taken, for the page or the terminal.
package struct SetNews: Hashable, Sendable {
  /// The present step.
  package var phase: SetPhase
  /// The reasons why a standpoint is not complete yet.
  package var reasons: [GateReason] = []
  /// The number of samples so far.
  package var samples = 0
  /// The number of samples that a standpoint needs.
  package var samplesWanted: Int
  /// The number of sectors that hold a frame.
  package var filled = 0
  /// The number of sectors.
  package var sectors: Int

  /// The state in words for the inspector.
  package var words: Wording {
    switch phase {
    case .opening, .closing:
      reasons.isEmpty
        ? "samples \(samples)/\(samplesWanted)"
        : reasons.map(\.wording).joined(separator: "; ")
    case .taking: "\(filled) of \(sectors) sectors have a picture"
    case .over: "the set is ended"
    }
  }
}

/// A frame that a camera offers, with what the sensors said about it.
package struct OfferedFrame: Sendable {
  /// The frame's time by the clock of its sensors, milliseconds.
  package var milliseconds: Double
  /// The last sample of the sensors before the frame; nil if there is none.
  package var before: AttitudeSample?
  /// The first sample after the frame; nil if there is none.
  package var after: AttitudeSample?
  /// The turn of the picture against the device: 0, 90, 180 or 270 degrees.
  package var screenDegrees: Int
  /// The angle of the middle of the ring's first sector, degrees, if this is the first frame: in a turn
  /// with a compass that sector looks to true north. Nil if the frame does not say.
  package var firstMiddleDegrees: Double?
  /// The JPEG.
  package var picture: [UInt8]

  /// Creates a frame.
  package init(
    milliseconds: Double, before: AttitudeSample?, after: AttitudeSample?, screenDegrees: Int,
    picture: [UInt8]
  ) {
    self.milliseconds = milliseconds
    self.before = before
    self.after = after
    self.screenDegrees = screenDegrees
    self.picture = picture
  }
}

/// The answer to an offered frame.
package enum FrameAnswer: Hashable, Sendable {
  /// The frame is kept and durable.
  case kept(sector: Int)
  /// The frame is discarded: no sample of the sensors is near enough.
  case noSample
  /// The frame is discarded: its quality is too low.
  case poor
  /// The frame is discarded: its sector holds one that is at least as good.
  case notBetter
}
