import Crypto
import Foundation
import Office
import Positioning
import Store

// The problem: the app's digest is over the picture, the user and the time as the app wrote it, letter by letter. The older
// office kept the time as a date and a time in UTC, whole seconds, and threw the letters away. Without them nobody can
// say whether picture and digest belong together; and a phone that sends the photo again brings those letters.
//
// The obvious idea: to believe what the older office has noted of the digest. It is its word, and not a check.
//
// What is done: the apps write in few forms, of which the unknown part is small: iOS the wall clock's time without its
// zone, in twelve hours where the iPhone shows those, Android thousandths and the zone's offset. All of them are tried; the one that the digest was made over is found,
// and no other can be taken for it. Forms that no app is known to write stay not checkable.
//
// Cost: a hash of two blocks for each text, some 4,000 texts for a photo of Android, 420 for one of iOS.
enum LostTime {
  /// The text of a time that a digest was made over; nil where none of the known forms is.
  /// - Parameters:
  ///   - digest: the app's, in lower-case hexadecimal.
  ///   - pictureDigest: SHA-256 of the picture, likewise.
  ///   - user: the user's number at the older office.
  ///   - second: when it was, to the second; nil where that is not known either.
  ///   - zone: where phones were, as far as anybody knows.
  static func text(
    ofDigest digest: String, pictureDigest: String, user: String, second: DeviceTime?,
    zone: TimeZone
  ) -> String? {
    guard let wanted = bytes(of: digest), wanted.count == 32 else { return nil }
    var start = SHA256()
    start.update(data: Array("\(AppDigest.secret)_\(pictureDigest)_".utf8))
    let end = Array("_\(user)".utf8)
    func holds(_ text: [UInt8]) -> Bool {
      var hash = start
      hash.update(data: text + end)
      return hash.finalize().elementsEqual(wanted)
    }
    // What Android writes where it has none.
    if holds(Array("0".utf8)) { return "0" }
    guard let second else { return nil }
    func wallClock(_ offsetMinutes: Int) -> String {
      String(second.advanced(bySeconds: Double(offsetMinutes) * 60).rfc3339.prefix(19))
    }
    for quarters in -48...56 {
      for text in Self.withoutZone(wallClock(quarters * 15)) where holds(Array(text.utf8)) {
        return text
      }
    }
    let instant = Date(timeIntervalSince1970: Double(second.millisecondsSince1970) / 1000)
    let usual = zone.secondsFromGMT(for: instant) / 60
    var tried: Set<Int> = []
    for offset in [usual, usual + 60, usual - 60, 0] where tried.insert(offset).inserted {
      var text = Array("\(wallClock(offset)).000\(Self.offset(offset))".utf8)
      for thousandths in 0..<1000 {
        let digits = (thousandths / 100, thousandths / 10 % 10, thousandths % 10)
        text[20] = 0x30 + UInt8(digits.0)
        text[21] = 0x30 + UInt8(digits.1)
        text[22] = 0x30 + UInt8(digits.2)
        if holds(text) { return String(decoding: text, as: UTF8.self) }
      }
    }
    return nil
  }

  /// What iOS makes of `2023-06-01T14:34:56`: with 24 hours, and with twelve, before whose half a newer system puts a
  /// narrow space.
  private static func withoutZone(_ text: String) -> [String] {
    let parts = text.split(separator: "T").map(String.init)
    guard parts.count == 2, let hour = Int(parts[1].prefix(2)) else { return [] }
    let short = "\(parts[0]) \((hour + 11) % 12 + 1)\(parts[1].dropFirst(2))"
    let half = hour < 12 ? "AM" : "PM"
    return ["\(parts[0]) \(parts[1])"] + [" ", "\u{202F}", "\u{A0}"].map { short + $0 + half }
  }

  /// `+02:00`, and `Z` for none.
  private static func offset(_ minutes: Int) -> String {
    guard minutes != 0 else { return "Z" }
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(minutes < 0 ? "-" : "+")\(two(abs(minutes) / 60)):\(two(abs(minutes) % 60))"
  }

  private static func bytes(of digits: String) -> [UInt8]? {
    var bytes: [UInt8] = []
    var half: UInt8?
    for digit in digits.utf8 {
      guard let value = PHPDecoder.digit(digit) else { return nil }
      if let first = half {
        bytes.append(first << 4 | value)
        half = nil
      } else {
        half = value
      }
    }
    return half == nil ? bytes : nil
  }
}
