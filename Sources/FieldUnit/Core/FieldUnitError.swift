import Inspection
import TimeAndText

/// The errors of the field unit.
public enum FieldUnitError: Error, Sendable, Worded {
  /// The data directory or a file in it cannot be made, read or written.
  case unwritable(path: String, reason: String)
  /// A file that was named cannot be read.
  case unreadable(path: String, reason: Wording)
  /// The camera command did not give a picture.
  case camera(Wording)
  /// The bytes from the camera or the file are no picture that can be sealed.
  case picture(Wording)
  /// A capture gave no photo; the reasons are the gate's or the sampler's.
  case captureRefused([GateRefusal])
  /// Another page is taking a photo; the words say for which task.
  case captureBusy(Wording)
  /// No capture waits for the frame: it came too late, or belongs to another exposure.
  case exposureOver
  /// The raw window is gone: its first bytes are older than those that are still kept.
  case rawWindowGone
  /// The selection is empty.
  case emptySelection
  /// The text is no identifier.
  case malformedIdentifier(String)
  /// The text names no photo point: it is neither an identifier, nor a code, nor a label's text.
  case malformedPhotoPoint(String)
  /// The track is still being recorded; the text is its identifier.
  case trackNotFinished(String)
  /// Another track is being recorded on this device.
  case recordingElsewhere
  /// The field unit was started without a receiver.
  case noReceiver
  /// No track is being recorded.
  case notRecording
  /// A setting cannot have this value.
  case malformedSetting(name: Wording, reason: Wording)
  /// A document cannot be made on this device.
  case exportImpossible(Wording)
  /// A setting would be looser than the agency's rule, or than the gate's default.
  case looserSetting(name: Wording, limit: Wording, isAgencys: Bool)
  /// The photo's file was removed from this device after its delivery.
  case photoRemoved(Identifier)
  /// The set's files were removed from this device after its delivery.
  case setRemoved(Identifier)
  /// Another page or program is taking the set.
  case setHeld(Identifier)

  /// The stable code of the error, for programs.
  public var code: String {
    switch self {
    case .unwritable: "data-unwritable"
    case .unreadable: "file-unreadable"
    case .camera: "camera-failed"
    case .picture: "picture-unusable"
    case .captureRefused: "capture-refused"
    case .captureBusy: "capture-busy"
    case .exposureOver: "exposure-over"
    case .rawWindowGone: "raw-window-gone"
    case .emptySelection: "selection-empty"
    case .malformedIdentifier: "identifier-malformed"
    case .malformedPhotoPoint: "photo-point-malformed"
    case .trackNotFinished: "track-not-finished"
    case .recordingElsewhere: "recording-elsewhere"
    case .noReceiver: "no-receiver"
    case .notRecording: "not-recording"
    case .malformedSetting: "setting-malformed"
    case .exportImpossible: "export-impossible"
    case .looserSetting: "setting-looser"
    case .photoRemoved: "photo-removed"
    case .setRemoved: "set-removed"
    case .setHeld: "set-held"
    }
  }

  /// The message for people: what happened, and what to do next.
  public var wording: Wording {
    switch self {
    case .unwritable(let path, let reason): "cannot write \(path): \(reason)"
    case .unreadable(let path, let reason): "cannot read \(path): \(reason)"
    case .camera(let words): "the camera gave no picture: \(words)"
    case .picture(let words): "this picture cannot be used: \(words)"
    case .captureRefused(let reasons):
      "no photo was taken: \(reasons.map(\.wording).joined(separator: "; "))"
    case .captureBusy(let what):
      "another page is taking a photo (\(what)): wait until it is done, or close that page"
    case .exposureOver:
      "this picture came too late, or for another photo, and was not saved"
    case .rawWindowGone:
      "the receiver sends so much that the proof no longer fits: capture again"
    case .emptySelection: "there is nothing to export yet"
    case .malformedIdentifier(let text):
      "\"\(text)\" is not an identifier: identifiers look like 0190a5c0-7d2e-7cc3-98c4-dc0c0c07398f"
    case .malformedPhotoPoint(let text):
      "\"\(text)\" names no photo point: give its identifier, the eight characters of its code, or the text of its label's QR code"
    case .malformedSetting(let name, let reason): "\(name) cannot be set to that: \(reason)"
    case .exportImpossible(let words): "the document cannot be made here: \(words)"
    case .recordingElsewhere:
      "a track is already being recorded on this device, on a page or in a terminal: finish that one first"
    case .noReceiver: "there is no receiver: standpoint field --gnss SOURCE"
    case .notRecording: "no track is being recorded: start one on the map"
    case .looserSetting(let name, let limit, true):
      "\(name) cannot be set to that: your agency asks for \(limit), and you can only be stricter"
    case .looserSetting(let name, let limit, false):
      "\(name) cannot be set to that: without an agency's rule \(limit) applies, and you can only be stricter"
    case .photoRemoved(let id):
      "photo \(id) was delivered and removed from this device: make the composite at the office"
    case .setRemoved(let id):
      "set \(id) was delivered and removed from this device: look at it at the office"
    case .setHeld(let id):
      "another page or program is taking set \(id): end it or interrupt it there"
    case .trackNotFinished(let id): "track \(id) is still being recorded: finish it first"
    }
  }
}
