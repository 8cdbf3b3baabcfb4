import FieldUnit
import Foundation

/// What the camera page's script is told with each epoch: what it cannot read from the page's own words.
struct CameraState: Encodable, Sendable {
  /// What there is to do.
  enum Stage: String, Encodable, Sendable {
    /// Nothing is going on.
    case idle
    /// This page's capture waits for gate and samples.
    case waiting
    /// It counts down.
    case countdown
    /// Take the picture now, and hand it over under `number`.
    case expose
    /// The picture is here and is being sealed.
    case sealing
    /// There is a photo: keep it, or take it again.
    case captured
    /// No photo, for the reasons that the page shows.
    case refused
    /// Another page takes one.
    case elsewhere
  }

  /// A place as seen from where the receiver is.
  struct Direction: Encodable, Sendable {
    var distanceMetres: Double
    /// Degrees from true north; nil where the place is here.
    var bearingDegrees: Double?
  }

  /// An earlier photo of the task, for the ghost.
  struct Earlier: Encodable, Sendable {
    var id: String
    var place: Direction
  }

  /// What stands on the live picture itself, for whoever looks at nothing else: the same as on the page below it.
  struct Glance: Encodable, Sendable {
    /// The gate's verdict, as the page's styles name it.
    var verdict = "refused"
    /// The same in a word.
    var word: String
    /// Why, and how fast one moves.
    var reasons: [String] = []
    /// Samples and accuracy; nil without a fix.
    var numbers: String?
    /// Where the task's parcel is; nil without one.
    var way: String?
    /// Whether one stands outside the parcel, and the position is sure enough to say so.
    var isOutside = false
  }

  var stage = Stage.idle
  /// What stands on the picture.
  var glance: Glance?
  /// The photo that was captured and waits for Keep or Again.
  var captured: String?
  /// Whether the shutter is available.
  var isReady = false
  /// Whole seconds of the countdown that are left.
  var secondsLeft: Int?
  /// Names the exposure; told to no other page.
  var number: String?
  /// Whether the fix is a current one.
  var isFresh = false
  /// Radius of 95 % round the position.
  var uncertaintyMetres: Double?
  /// Where the receiver itself points, from true north; nil where it has no compass.
  var headingDegrees: Double?
  /// Where one walks to, from true north; nil while standing.
  var courseDegrees: Double?
  /// East of true north; nil where the model has none.
  var declinationDegrees: Double?
  /// The way to the task's parcel; nil without one.
  var parcel: Direction?
  var photos: [Earlier] = []

  /// As it stands in the page; always of the same order, so that what is the same reads the same.
  var text: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // A number that is none has no place in JSON: such a state says nothing.
    guard let data = try? encoder.encode(self) else { return "{}" }
    return String(decoding: data, as: UTF8.self)
  }
}
