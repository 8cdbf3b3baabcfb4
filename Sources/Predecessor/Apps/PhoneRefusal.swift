import Office
import Store
import Web

/// What a phone is told when something cannot be done: the predecessor's own sentences where it had one, since the
/// apps show them, and ours where it said "ok" to what it lost.
struct PhoneRefusal: Error, Equatable {
  /// The text, as `error_msg` carries it.
  let text: String
  /// Members that the original's answer has besides, all null.
  var nulls: [String] = []

  init(_ text: String, nulls: [String] = []) {
    self.text = text
    self.nulls = nulls
  }

  /// In the apps' words.
  var answer: PHPJSON {
    .object(
      [("status", .text("error")), ("error_msg", .text(text))] + nulls.map { ($0, PHPJSON.null) })
  }

  /// As the apps bear it from a script.
  func answer(to script: PhoneScripts.Script?) -> PHPJSON {
    switch script {
    // Android's synchronisation never ends behind an error, but does behind an answer that it cannot read, whose words it
    // shows: they stand in the place of the list.
    case .getPaths:
      .object([("status", .text("ok")), ("error_msg", .text(text)), ("paths", .text(text))])
    // EGNSS4ALL on iOS ends where there is no list, whatever the answer is.
    case .unassigned:
      .object([
        ("status", .text("error")), ("error_msg", .text(text)), ("photos_ids", .array([])),
      ])
    default: answer
    }
  }

  // MARK: the predecessor's

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

  // MARK: ours

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
  /// A refusal, as the apps bear it from a script.
  static func phone(_ refusal: PhoneRefusal, to script: PhoneScripts.Script?) -> WebResponse {
    .phone(refusal.answer(to: script))
  }

  /// An answer that a phone parses: always 200, as the original's are.
  static func phone(_ answer: PHPJSON) -> WebResponse {
    .bytes(answer.bytes, mediaType: PhoneScripts.mediaType)
      .setting(header: "Cache-Control", to: "no-store")
  }
}
