import Inspection
import TimeAndText

extension Record {
  /// Returns the part of a capture's record that says when the frame was made, seen from its fix.
  static func shutter(_ claims: FrameClaims) -> JSONValue {
    let timing = claims.timing
    return .object(known: [
      ("delaySeconds", .seconds(timing.delaySeconds)),
      ("delayUncertaintySeconds", .seconds(timing.delayUncertaintySeconds)),
      ("delaySecondsAtMost", .seconds(timing.delaySecondsAtMost)),
      ("limitSeconds", .seconds(claims.limitSeconds)),
      ("clockOffsetSeconds", timing.clockOffsetSeconds.flatMap(JSONValue.seconds)),
      (
        "clockOffsetUncertaintySeconds",
        timing.clockOffsetUncertaintySeconds.flatMap(JSONValue.seconds)
      ),
    ])
  }

  /// Returns the part of a capture's record that names the phone or browser; nil if nothing is known.
  static func phone(_ phone: PhotoPhone) -> JSONValue? {
    let words: [(String, String?)] = [
      ("session", phone.session), ("browser", phone.browser), ("model", phone.model),
      ("camera", phone.camera),
    ]
    guard words.contains(where: { $0.1 != nil }) else { return nil }
    return .object(known: words.map { ($0.0, $0.1.map { .string($0) }) })
  }

  /// Returns the part of a capture's record that says how far the lens was from the antenna; nil for no
  /// distance.
  static func lens(_ lens: LensOffset) -> JSONValue? {
    lens == .none
      ? nil
      : .object(known: [
        ("offsetMetres", .metres(lens.metres)),
        ("offsetUncertaintyMetres", .metres(lens.uncertaintyMetres)),
      ])
  }

  /// Reads the distance between lens and antenna of a capture's record; nil if the member is there and
  /// not what it must be.
  package static func lens(of record: JSONValue) -> LensOffset? {
    guard let claimed = record["lens"] else { return LensOffset.none }
    guard let metres = claimed["offsetMetres"]?.measured,
      let uncertainty = claimed["offsetUncertaintyMetres"]?.measured
    else { return nil }
    return LensOffset(metres: metres, uncertaintyMetres: uncertainty)
  }
}

extension SealFile {
  /// The claims about a photo that a page took; nil if no page took it, or if they cannot be read.
  public var frame: FrameClaims? {
    guard let claimed = record["shutter"], let delay = claimed["delaySeconds"]?.measured,
      let uncertainty = claimed["delayUncertaintySeconds"]?.measured,
      let most = claimed["delaySecondsAtMost"]?.measured,
      let limit = claimed["limitSeconds"]?.measured
    else { return nil }
    let phone = record["phone"].map {
      PhotoPhone(
        session: $0["session"]?.text, browser: $0["browser"]?.text, model: $0["model"]?.text,
        camera: $0["camera"]?.text)
    }
    return FrameClaims(
      timing: FrameTiming(
        delaySeconds: delay, delayUncertaintySeconds: uncertainty, delaySecondsAtMost: most,
        clockOffsetSeconds: claimed["clockOffsetSeconds"]?.measured,
        clockOffsetUncertaintySeconds: claimed["clockOffsetUncertaintySeconds"]?.measured),
      limitSeconds: limit, phone: phone, lens: Record.lens(of: record) ?? .none)
  }
}
