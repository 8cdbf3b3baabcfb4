import Crypto
import Foundation
import Office
import Store
import TimeAndText

// The problem: the app's digest is over the picture, the user and the time as the app wrote it,
// letter by letter. The older office kept the time as a date and a time in UTC, in whole seconds,
// and threw the letters away. Without them the office cannot tell whether picture and digest fit;
// and a phone that sends the photo again brings those letters.
//
// The obvious idea: to believe the older office's own note on the digest. That is its word, and not
// a check.
//
// The solution: the apps write few forms, and the unknown part of each is small. iOS writes the
// wall clock's time without its zone, in twelve hours if the iPhone shows those; Android writes
// thousandths and the zone's offset. All of them are tried; the text that the digest was made over
// is found, and no other can be taken for it. Digests over forms that no app is known to write stay
// not checkable.
//
// Cost: a hash of two blocks for each text, some 4,000 texts for a photo of Android, 420 for one of
// iOS.
enum LostTime {
  /// Finds the text of the time over which a digest was made; nil if it has none of the known
  /// forms.
  /// - Parameters:
  ///   - digest: the app's digest, in lower-case hexadecimal.
  ///   - pictureDigest: SHA-256 of the picture, likewise.
  ///   - user: the user's number at the older office.
  ///   - second: the time to the second; nil if that is not known either.
  ///   - zone: the time zone where the phones were, as far as is known.
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
    // Android writes "0" if it has no time.
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

  /// Returns the forms in which iOS writes `2023-06-01T14:34:56`: with 24 hours, and with twelve,
  /// for which newer systems put a narrow space before AM or PM.
  private static func withoutZone(_ text: String) -> [String] {
    let parts = text.split(separator: "T").map(String.init)
    guard parts.count == 2, let hour = Int(parts[1].prefix(2)) else { return [] }
    let short = "\(parts[0]) \((hour + 11) % 12 + 1)\(parts[1].dropFirst(2))"
    let half = hour < 12 ? "AM" : "PM"
    return ["\(parts[0]) \(parts[1])"] + [" ", "\u{202F}", "\u{A0}"].map { short + $0 + half }
  }

  /// Returns an offset as `+02:00`, or as `Z` if it is zero.
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
