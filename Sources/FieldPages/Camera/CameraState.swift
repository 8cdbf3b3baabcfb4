import FieldUnit
import Foundation
import Inspection

/// The state sent to the camera page's script with each epoch: the values that the script cannot
/// read from the words of the page.
struct CameraState: Encodable, Sendable {
  /// The stage of the capture, which tells the script what to do.
  enum Stage: String, Encodable, Sendable {
    /// Nothing is going on.
    case idle
    /// The page's capture waits for the gate and the samples.
    case waiting
    /// The countdown runs.
    case countdown
    /// The script shall take the picture now and send it under `number`.
    case expose
    /// The picture is made and the gate has held until then: its bytes are being sent.
    case sending
    /// The picture has arrived and is being sealed.
    case sealing
    /// The photo is made and kept: the inspector looks at it, and may take it again.
    case captured
    /// No photo was made, for the reasons that the page shows.
    case refused
    /// Another page takes a photo.
    case elsewhere
  }

  /// The distance and direction of a place from the receiver.
  struct Direction: Encodable, Sendable {
    var distanceMetres: Double
    /// Degrees from true north; nil if the receiver is at the place.
    var bearingDegrees: Double?

    /// The same for words, as the map has them.
    var parcelWay: ParcelWay {
      ParcelWay(distanceMetres: distanceMetres, bearingDegrees: bearingDegrees)
    }
  }

  /// An earlier photo of the task, for the ghost.
  struct Earlier: Encodable, Sendable {
    var id: String
    var place: Direction
    /// The distance at which the place counts as met, metres.
    var toleranceMetres: Double
  }

  /// The way to the task's parcel, in words for the picture itself.
  struct Way: Encodable, Sendable {
    /// The words while the direction of the camera is not known.
    var words: String
    /// The words beside an arrow that shows the direction; nil inside the parcel.
    var pointed: String?
  }

  var stage = Stage.idle
  /// The number of samples so far; 0 while the fix is stale.
  var samples = 0
  /// The number of samples that a photo needs; 0 if it gets the position of a single fix.
  var samplesWanted = 0
  /// Both numbers in words; nil if no samples are needed.
  var samplesWords: String?
  /// The way to the parcel in words; nil without a parcel or a fresh position.
  var way: Way?
  /// The identifier of the photo that is shown after the shutter; nil if none is.
  var captured: String?
  /// True if the shutter is available.
  var isReady = false
  /// The whole seconds left of the countdown; nil if none runs.
  var secondsLeft: Int?
  /// The name of the exposure, which no other page learns; nil unless the picture is to be taken.
  var number: String?
  /// True if the fix is not stale.
  var isFresh = false
  /// Radius in metres round the position that holds the true place with 95 %; nil if not known.
  var uncertaintyMetres: Double?
  /// Heading of the receiver itself in degrees from true north; nil if it has no compass.
  var headingDegrees: Double?
  /// Direction of walking in degrees from true north; nil at rest, when a course says nothing.
  var courseDegrees: Double?
  /// Magnetic declination in degrees, positive eastwards; nil without a position, or if the model
  /// has no value.
  var declinationDegrees: Double?
  /// The way to the task's parcel; nil without a parcel or a fresh position.
  var parcel: Direction?
  var photos: [Earlier] = []

  /// The state as JSON for the page. Its keys are sorted, so that equal states have equal texts.
  var text: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // JSON cannot hold a number that is not finite: a state with such a number is sent empty.
    guard let data = try? encoder.encode(self) else { return "{}" }
    return String(decoding: data, as: UTF8.self)
  }
}
