import Positioning
import TestSupport
import Testing
import TimeAndText

@Suite("Streams of bytes")
struct StreamTests {
  private static let epochs: [[String]] = (0..<4).map { second in
    let clock = clockText(45_000_000 + second * 1000)
    return [
      "GNRMC,\(clock),A,4807.03\(second),N,01131.000,E,0.2,84.4,230324,,,A",
      "GNGGA,\(clock),4807.03\(second)1,N,01131.0001,E,1,08,0.9,545.\(second),M,46.9,M,,",
      "GNGSA,A,3,01,02,,,,,,,,,,,1.5,0.8,1.2,1", "GPGSV,1,1,01,01,63,098,44",
      "GNVTG,45.0,T,,M,1.0,N,3.6,K,A",
    ]
  }
  private static let stream = epochs.flatMap(framed)

  @Test("Reads of any size, and a break at any byte, give the same fixes")
  func chunks() {
    let whole = fixes(Self.stream)
    #expect(whole.count == 4)
    for size in 1...300 { #expect(fixes(Self.stream, size: size) == whole, "reads of \(size)") }
    for cut in 0...Self.stream.count {
      var decoder = FixDecoder()
      var heard: [Fix] = []
      func take(_ event: DecodedEvent) { if case .fix(let fix) = event { heard.append(fix) } }
      decoder.accept(Array(Self.stream[..<cut]), take)
      decoder.accept(Array(Self.stream[cut...]), take)
      decoder.finish(take)
      #expect(heard == whole, "cut at \(cut)")
    }
  }

  @Test("CR, LF, both, several or none between sentences make no difference")
  func lineEnds() {
    let whole = fixes(Self.stream)
    for end in ["\r", "\n", "\r\n", "\n\r", "\r\n\r\n", ""] {
      let bytes = Self.epochs.flatMap { $0.flatMap { framed($0, end: end) } }
      #expect(fixes(bytes) == whole, "\(end.debugDescription)")
      #expect(fixes(bytes, size: 7) == whole, "\(end.debugDescription)")
      #expect(counts(bytes).sentences == 20)
    }
  }

  @Test("Binary protocols between the sentences are passed over, and counted")
  func binary() {
    let whole = fixes(Self.stream)
    forEachSeed { seed, generator in
      var bytes: [UInt8] = []
      for sentence in Self.epochs.flatMap({ $0 }) {
        // The noise has no `{`, which would begin a message of gpsd's at a line's start.
        for _ in 0..<Int.random(in: 0...200, using: &generator) {
          let byte = UInt8.random(in: 0...255, using: &generator)
          bytes.append(byte == UInt8(ascii: "{") ? 0 : byte)
        }
        bytes += framed(sentence)
      }
      #expect(fixes(bytes) == whole, "seed \(seed)")
      #expect(fixes(bytes, size: 11) == whole, "seed \(seed)")
      #expect(counts(bytes).otherBytes > 0, "seed \(seed)")
    }
  }

  @Test("A checksum that is wrong, cut short or absent is counted, and the sentence is not used")
  func checksums() {
    let good = framed("GPGGA,000001,3015.0,N,00145.0,E,1,08,1,5,M,,M,,")
    for index in 1..<(good.count - 2) {
      for flip in [UInt8(0x01), 0x02, 0x04] {
        var bytes = good
        bytes[index] ^= flip
        #expect(fixes(bytes).isEmpty, "byte \(index)")
        #expect(counts(bytes).sentences == 0)
      }
    }
    var counted = counts(Array(good.dropLast(3)) + [0x0A])
    #expect(counted.badChecksums == 1)
    counted = counts(Array("$GPGGA,000001,3015.0,N,00145.0,E,1,08,1,5,M,,M,,\r\n".utf8))
    #expect(counted.missingChecksums == 1)
    #expect(counted.sentences == 0)
    let small = Array(
      String(decoding: framed("GPGLL,3015.0,N,00145.0,E,000001,A"), as: UTF8.self)
        .lowercased().utf8.suffix(4))
    #expect(
      counts(Array("$GPGLL,3015.0,N,00145.0,E,000001,A".utf8) + [0x2A] + small).sentences == 1)
  }

  @Test("A sentence may have 1,024 bytes before its star, in whatever reads it comes")
  func overlongSentence() {
    let good = framed("GPGGA,000001,3015.0,N,00145.0,E,1,08,1,5,M,,M,,")
    for (length, isRead) in [(1023, true), (1024, false), (5000, false)] {
      // `length` counts the dollar and the body; the star makes one byte more.
      let body = "GPTXT," + String(repeating: "A", count: length - 7)
      let bytes = framed(body) + good
      let whole = counts(bytes)
      #expect(whole.sentences == (isRead ? 2 : 1), "\(length)")
      #expect(whole.overlong == (isRead ? 0 : 1), "\(length)")
      for size in [1, 7, 1000, 1023, 1024, 1025, 1026, 4096] {
        #expect(counts(bytes, size: size) == whole, "\(length) in reads of \(size)")
      }
    }
  }

  @Test("A message of gpsd's may have 32,768 bytes and not one more")
  func overlongMessage() {
    let good = framed("GPGGA,000001,3015.0,N,00145.0,E,1,08,1,5,M,,M,,")
    for (length, messages) in [(32_768, 1), (32_769, 0), (100_000, 0)] {
      let start = Array(#"{"class":"TPV","x":""#.utf8)
      let bytes = start + [UInt8](repeating: 0x2E, count: length - start.count) + [0x0A] + good
      let whole = counts(bytes)
      #expect(whole.gpsdMessages == messages, "\(length)")
      #expect(whole.overlong == 1 - messages, "\(length)")
      #expect(whole.sentences == 1)
      for size in [1000, 4096, 32_768, 32_769, 65_536] {
        #expect(counts(bytes, size: size) == whole, "\(length) in reads of \(size)")
      }
    }
  }

  @Test("A stream that never says anything costs no memory, and every byte of it is counted")
  func endless() {
    for first in ["A", "$", "{", #"{"class":"# + "A"] {
      var decoder = FixDecoder()
      decoder.accept(Array(first.utf8)) { _ in }
      let noise = [UInt8](repeating: 0x41, count: 65_536)
      for _ in 0..<64 { decoder.accept(noise) { _ in } }
      #expect(decoder.counts.otherBytes == 64 * 65_536 + first.utf8.count, "\(first)")
      #expect(decoder.counts.overlong == (first == "A" || first == "{" ? 0 : 1), "\(first)")
      decoder.finish { _ in }
      var heard = 0
      decoder.accept(framed("GPGGA,000001,3015.0,N,00145.0,E,1,08,1,5,M,,M,,")) { _ in heard += 1 }
      decoder.finish { _ in heard += 1 }
      #expect(heard == 1, "after a break the next connection begins anew")
    }
  }

  @Test("A fix is there with its last checksum, before the line's end has come")
  func noWaiting() {
    var decoder = FixDecoder()
    var heard = 0
    for second in 1...4 {
      let gga = framed("GPGGA,00000\(second),3015.0,N,00145.0,E,1,08,1,5,M,,M,,", end: "")
      decoder.accept(gga) { _ in heard += 1 }
      if second >= 3 { #expect(heard == second) }
      decoder.accept(Array("\r\n".utf8)) { _ in heard += 1 }
    }
    #expect(heard == 4)
  }

  @Test("Two dollars, and a sentence that begins within another, lose nothing that is whole")
  func dollars() {
    let body = "GPGGA,000001,3015.0,N,00145.0,E,1,08,1,5,M,,M,,"
    let whole = fixes(framed(body))
    for before in ["$", "$$$", "$GPGGA,0000", "$GP", "$GPGGA,000001,3015.0,N*", "$GPRMC,1*4"] {
      let bytes = Array(before.utf8) + framed(body)
      #expect(fixes(bytes) == whole, "\(before)")
      for size in 1...20 {
        #expect(fixes(bytes, size: size) == whole, "\(before)")
        #expect(counts(bytes, size: size) == counts(bytes), "\(before)")
      }
    }
    let counted = counts(Array("$GPGGA,0000$GPGGA,1*4".utf8) + framed(body))
    #expect(counted.missingChecksums == 1)
    #expect(counted.badChecksums == 1)
  }

  @Test("Logs glued together give their fixes, and the step back is counted")
  func glued() {
    let log = framed(
      (1...5).map { "GPGGA,00000\($0),3015.0,N,00145.0,E,1,08,1,5,M,,M,," })
    #expect(fixes(log + log).count == 10)
    #expect(counts(log + log).backwardEpochs == 1)
    #expect(counts(log).backwardEpochs == 0)
    let midnight = framed(
      ["235959", "000000"].map { "GPGGA,\($0),3015.0,N,00145.0,E,1,08,1,5,M,,M,," })
    #expect(counts(midnight).backwardEpochs == 0)
  }

  @Test("Hostile bytes stop nothing, and their reading does not depend on the reads")
  func hostile() {
    let alphabet = Array("$GPNLRMCGAZDSTV,,,,,,.0123456789*-+AFNSEW{}\":\r\n\u{0}".utf8)
    forEachSeed(0..<20_000) { seed, generator in
      var bytes: [UInt8] = []
      switch seed % 4 {
      case 0:
        for _ in 0..<Int.random(in: 0...200, using: &generator) {
          bytes.append(UInt8.random(in: 0...255, using: &generator))
        }
      case 1:
        for _ in 0..<Int.random(in: 0...200, using: &generator) {
          bytes.append(alphabet.randomElement(using: &generator) ?? 0)
        }
      case 2:
        // The body is damaged and then gets the right checksum: the fields themselves have to hold.
        let sentences = Self.epochs.flatMap { $0 }
        for _ in 0..<3 {
          var body = Array((sentences.randomElement(using: &generator) ?? "").utf8)
          for _ in 0..<Int.random(in: 1...6, using: &generator) {
            let index = Int.random(in: 6..<body.count, using: &generator)
            body[index] = alphabet.dropFirst().randomElement(using: &generator) ?? 0
          }
          bytes += framed(String(decoding: body.filter { $0 != 0x2A && $0 >= 0x20 }, as: UTF8.self))
        }
      default:
        bytes = Self.stream
        for _ in 0..<Int.random(in: 1...20, using: &generator) {
          bytes[Int.random(in: bytes.indices, using: &generator)] =
            UInt8.random(in: 0...255, using: &generator)
        }
      }
      let whole = fixes(bytes)
      if seed % 8 < 4 {
        let size = Int.random(in: 1...64, using: &generator)
        #expect(fixes(bytes, size: size) == whole, "seed \(seed)")
        #expect(counts(bytes, size: size) == counts(bytes), "seed \(seed)")
      }
      for fix in whole {
        #expect((fix.coordinate == nil) == (fix.mode == .none), "seed \(seed)")
        for value in [
          fix.meanSeaLevelHeightMetres, fix.speedMetresPerSecond, fix.horizontalDilution,
          fix.horizontalUncertaintyMetres95, fix.verticalUncertaintyMetres95,
        ] { #expect(value?.isFinite ?? true, "seed \(seed)") }
      }
    }
  }
}
