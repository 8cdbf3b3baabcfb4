import Office
import Store
import Web

/// A refusal that a phone is told: the predecessor's own sentence if it had one, since the apps
/// show it, and a new sentence if the predecessor said "ok" and lost something.
struct PhoneRefusal: Error, Equatable {
  /// The text that `error_msg` carries.
  let text: String
  /// Further members that the original's answer has, all null.
  var nulls: [String] = []

  init(_ text: String, nulls: [String] = []) {
    self.text = text
    self.nulls = nulls
  }

  /// The refusal as JSON, in the form that the apps know.
  var answer: PHPJSON {
    .object(
      [("status", .text("error")), ("error_msg", .text(text))] + nulls.map { ($0, PHPJSON.null) })
  }

  /// Returns the refusal in a form that the apps accept from this script.
  func answer(to script: PhoneScripts.Script?) -> PHPJSON {
    switch script {
    // Android's synchronisation hangs after an error, but not after an answer that it cannot read:
    // it shows that answer's words. They are therefore put in the place of the list.
    case .getPaths:
      .object([("status", .text("ok")), ("error_msg", .text(text)), ("paths", .text(text))])
    // EGNSS4ALL on iOS crashes on every answer without a list, even on an error.
    case .unassigned:
      .object([
        ("status", .text("error")), ("error_msg", .text(text)), ("photos_ids", .array([])),
      ])
    default: answer
    }
  }

  // MARK: the predecessor's sentences

  static let badLogin = PhoneRefusal("bad login or password")
  static let missingUser = PhoneRefusal("missing user ID")
  static let notEditable = PhoneRefusal("task is not in editable status")
  static let photoUnreadable = PhoneRefusal("photo json decode error")
  static let photosUnreadable = PhoneRefusal("photos json decode error")
  static let noPhotos = PhoneRefusal("task has no photos")
  static let noPoints = PhoneRefusal("no points in the path", nulls: ["path_id"])
  static let pointsUnreadable = PhoneRefusal("points json decode error")
  static let missingData = PhoneRefusal("missing mandatory data")
  static let wrongPhoto = PhoneRefusal("wrong photo ID")

  // MARK: new sentences

  static let loginEnded = PhoneRefusal("your login has ended: log in again, nothing is lost")
  static let unknownService = PhoneRefusal("this address serves no agency: ask your office for it")
  static let networkForbidden = PhoneRefusal("your agency does not serve this network")
  static let tooOften = PhoneRefusal("too many requests: try again in a minute")
  static let unknownScript = PhoneRefusal("unknown script")
  static let photoMissing = PhoneRefusal("photo is empty: it was not stored, send it again")
  static let photoTooLarge = PhoneRefusal("photo is too large: it was not stored")
  static let photoNotJPEG = PhoneRefusal("photo is no JPEG: it was not stored, send it again")
  static let photoNowhere = PhoneRefusal("photo has no position: it was not stored")
  static let tooManyPhotos = PhoneRefusal("too many photos at once: ask for each of them")
  static let tooLarge = PhoneRefusal("too many bytes: nothing was stored")
  static let statusRefused = PhoneRefusal("the task cannot be brought into this status")
  static let unknownTask = PhoneRefusal("wrong task ID")
  static let pathNowhere = PhoneRefusal(
    "a point of the path has no position: it was not stored", nulls: ["path_id"])
}

extension WebResponse {
  /// Returns a response with a refusal, in a form that the apps accept from this script.
  static func phone(_ refusal: PhoneRefusal, to script: PhoneScripts.Script?) -> WebResponse {
    .phone(refusal.answer(to: script))
  }

  /// Returns a response with an answer that a phone parses: always with status 200, as the
  /// original's answers have.
  static func phone(_ answer: PHPJSON) -> WebResponse {
    .bytes(answer.bytes, mediaType: PhoneScripts.mediaType)
      .setting(header: "Cache-Control", to: "no-store")
  }
}
