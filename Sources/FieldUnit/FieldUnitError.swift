import Inspection
import Positioning

/// What the field unit cannot do.
public enum FieldUnitError: Error, Sendable, Worded {
  /// The data directory or a file in it cannot be made, read or written.
  case unwritable(path: String, reason: String)
  /// A file that was named cannot be read.
  case unreadable(path: String, reason: Wording)
  /// The camera command did not give a picture.
  case camera(Wording)
  /// What the camera or the file gave is no picture that can be sealed.
  case picture(Wording)
  /// Nothing came of a capture; the gate's or the sampler's reasons.
  case captureRefused([GateRefusal])
  /// Another page takes a photo just now; what is known of it.
  case captureBusy(Wording)
  /// A frame that nobody waits for: it came too late, or it is another exposure's.
  case exposureOver
  /// The raw window is gone: the samples are older than what is kept.
  case rawWindowGone
  /// The selection holds nothing.
  case emptySelection
  /// An identifier that is none.
  case malformedIdentifier(String)
  /// A track that has points no more, or none yet.
  case trackNotFinished(String)
  /// A track is recorded on this device already.
  case recordingElsewhere
  /// The field unit was started without a receiver.
  case noReceiver
  /// Nothing is recorded just now.
  case notRecording
  /// A setting cannot have this value.
  case malformedSetting(name: Wording, reason: Wording)
  /// A document cannot be made on this device.
  case exportImpossible(Wording)
  /// A setting would be looser than what the agency has laid down, or than the gate's default.
  case looserSetting(name: Wording, limit: Wording, isAgencys: Bool)

  /// A stable word for programs.
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
    case .trackNotFinished: "track-not-finished"
    case .recordingElsewhere: "recording-elsewhere"
    case .noReceiver: "no-receiver"
    case .notRecording: "not-recording"
    case .malformedSetting: "setting-malformed"
    case .exportImpossible: "export-impossible"
    case .looserSetting: "setting-looser"
    }
  }

  /// What happened and what to do next, for people.
  public var wording: Wording {
    switch self {
    case .unwritable(let path, let reason): "cannot write \(path): \(reason)"
    case .unreadable(let path, let reason): "cannot read \(path): \(reason)"
    case .camera(let words): "the camera gave no picture: \(words)"
    case .picture(let words): "this picture cannot be used: \(words)"
    case .captureRefused(let reasons):
      "no photo was taken: \(reasons.map(\.wording).joined(separator: "; "))"
    case .captureBusy(let what):
      "another page takes a photo just now (\(what)): wait until it is done, or close it there"
    case .exposureOver:
      "nobody waits for this picture any more: it came too late, or for another photo, and was not kept"
    case .rawWindowGone:
      "the receiver sends so much that the proof no longer fits: capture again"
    case .emptySelection: "there is nothing to export yet"
    case .malformedIdentifier(let text):
      "\"\(text)\" is no identifier: they look like 0190a5c0-7d2e-7cc3-98c4-dc0c0c07398f"
    case .malformedSetting(let name, let reason): "\(name) cannot be set to that: \(reason)"
    case .exportImpossible(let words): "the document cannot be made here: \(words)"
    case .recordingElsewhere:
      "a track is being recorded on this device already, by a page or in a terminal: finish that one first"
    case .noReceiver: "there is no receiver: standpoint field --gnss SOURCE"
    case .notRecording: "no track is being recorded just now: begin one on the map"
    case .looserSetting(let name, let limit, true):
      "\(name) cannot be set to that: your agency asks for \(limit), and you can only be stricter"
    case .looserSetting(let name, let limit, false):
      "\(name) cannot be set to that: without an agency's rule \(limit) holds, and you can only be stricter"
    case .trackNotFinished(let id): "track \(id) is still being recorded: finish it first"
    }
  }
}

/// Why no photo was taken: a stable code and words.
public struct GateRefusal: Hashable, Sendable {
  /// A stable word for programs.
  public var code: String
  /// Words for the inspector.
  public var wording: Wording
  /// The same in English.
  public var text: String { wording.description }

  /// A reason from its parts.
  public init(code: String, wording: Wording) {
    self.code = code
    self.wording = wording
  }
}
