import Exports
import Foundation
import TestSupport
import Testing

@Suite("QR codes")
struct QRCodeTests {
  /// Checks some of the limits in bytes of the versions at level M (ISO/IEC 18004, table 7).
  @Test(
    "the smallest version that holds the bytes is taken",
    arguments: [
      (1, 1), (14, 1), (15, 2), (26, 2), (62, 4), (63, 5), (84, 5), (122, 7), (180, 9), (181, 10),
      (1538, 32), (2331, 40),
    ])
  func version(bytes: Int, version: Int) throws {
    let code = try #require(QRCode(Array(repeating: UInt8(ascii: "a"), count: bytes)))
    #expect(code.version == version)
    #expect(code.side == 17 + 4 * version)
  }

  @Test("nothing, and what no code holds, has none")
  func tooLong() {
    #expect(QRCode(Array(repeating: UInt8(7), count: 2332)) == nil)
    #expect(QRCode([]) == nil)
  }

  @Test("outside of it all is light, and its corners are finders")
  func corners() throws {
    let code = try #require(QRCode("standpoint"))
    #expect(!code.isDark(x: -1, y: 0))
    #expect(!code.isDark(x: 0, y: code.side))
    for (x, y) in [(0, 0), (code.side - 1, 0), (0, code.side - 1)] {
      #expect(code.isDark(x: x, y: y))
    }
    #expect(QRCode("standpoint") == code)
    #expect(QRCode("standpoin!") != code)
  }

  @Test(
    "an independent reader reads what was written, in every version",
    .enabled(if: Program.tool("zbarimg") != nil, "zbarimg is not installed (zbar-tools)"),
    arguments: [
      14, 26, 42, 62, 84, 106, 122, 152, 180, 213, 251, 287, 331, 362, 412, 450, 504, 560, 624, 666,
      711, 779, 857, 911, 997, 1059, 1125, 1190, 1264, 1370, 1452, 1538, 1628, 1722, 1809, 1911,
      1989, 2099, 2213, 2331,
    ])
  func read(bytes: Int) async throws {
    var text: [UInt8] = []
    for index in 0..<bytes { text.append(UInt8(33 + (index * 37 + index / 7) % 90)) }
    let code = try #require(QRCode(text))
    try await withTemporaryDirectory { folder in
      let file = folder.appendingPathComponent("code.pgm")
      try Self.picture(of: code).write(to: file)
      let reader = try #require(Program.tool("zbarimg"))
      let outcome = try await Program.run(reader, ["-q", "--raw", file.path])
      #expect(outcome.output == String(decoding: text, as: UTF8.self) + "\n")
    }
  }

  /// Returns Netpbm's grey picture, with four pixels to the module.
  private static func picture(of code: QRCode) -> Data {
    let scale = 4
    let side = (code.side + 2 * QRCode.quietModules) * scale
    var picture = Data("P5 \(side) \(side) 255\n".utf8)
    for y in 0..<side {
      for x in 0..<side {
        let dark = code.isDark(
          x: x / scale - QRCode.quietModules, y: y / scale - QRCode.quietModules)
        picture.append(dark ? 0 : 255)
      }
    }
    return picture
  }
}
