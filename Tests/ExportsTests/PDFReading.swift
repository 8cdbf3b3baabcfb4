import Exports
import Foundation
import PDFWriting
import TestSupport
import Testing

/// A PDF that other programs read.
struct PDFReading {
  let file: URL

  /// Reads a file that exists.
  init(file: URL) { self.file = file }

  /// Writes the PDF of a dossier into a folder.
  init(_ dossier: Dossier, in folder: URL, name: String = "task.pdf") throws {
    let fonts = try #require(PDFFonts.installed(), "fonts-dejavu-core is not installed")
    file = folder.appendingPathComponent(name)
    try PDFDocument.write(dossier, fonts: fonts, toFile: file.path)
  }

  var bytes: Data { get throws { try Data(contentsOf: file) } }

  /// Returns the text of all pages, or of one, in the order of reading. A complaint of the reader
  /// fails the test.
  func text(page: Int? = nil) async throws -> String {
    let range = page.map { ["-f", "\($0)", "-l", "\($0)"] } ?? []
    return try await run("pdftotext", range + ["-enc", "UTF-8", file.path, "-"])
  }

  /// Returns the text with each white space as one blank, so that line ends do not matter.
  func words(page: Int? = nil) async throws -> String {
    try await text(page: page).split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  /// Returns the text of all pages with its layout.
  func layout() async throws -> String {
    try await run("pdftotext", ["-layout", "-enc", "UTF-8", file.path, "-"])
  }

  func fonts() async throws -> [String] {
    try await run("pdffonts", [file.path]).split(separator: "\n").dropFirst(2).map(String.init)
  }

  func info(_ key: String) async throws -> String {
    let line = try await run("pdfinfo", [file.path]).split(separator: "\n").first {
      $0.hasPrefix("\(key):")
    }
    return line.map { $0.dropFirst(key.count + 1).trimmingCharacters(in: .whitespaces) } ?? ""
  }

  var pages: Int { get async throws { Int(try await info("Pages")) ?? 0 } }

  /// Returns width and height of each picture, in the order of the pages.
  func pictures() async throws -> [(width: Int, height: Int)] {
    try await run("pdfimages", ["-list", file.path]).split(separator: "\n").dropFirst(2)
      .compactMap { line in
        let columns = line.split(separator: " ")
        guard columns.count > 4, let width = Int(columns[3]), let height = Int(columns[4])
        else { return nil }
        return (width, height)
      }
  }

  /// Returns qpdf's complaint; nil if it has none.
  func complaint() async throws -> String? {
    let qpdf = try #require(Program.tool("qpdf"), "qpdf is not installed")
    let outcome = try await Program.run(qpdf, ["--check", file.path])
    return outcome.status == 0 && outcome.errors.isEmpty ? nil : outcome.output + outcome.errors
  }

  /// Returns all objects as readable text.
  func objects() async throws -> String {
    let plain = file.deletingLastPathComponent().appendingPathComponent("plain.pdf")
    _ = try await run(
      "qpdf", ["--qdf", "--object-streams=disable", file.path, plain.path])
    return String(decoding: try Data(contentsOf: plain), as: UTF8.self)
  }

  /// Returns a text as bookmarks have it: UTF-16 with its byte order mark, in hexadecimal.
  static func utf16(_ text: String) -> String {
    "<feff" + text.utf16.map { String(format: "%04x", $0) }.joined()
  }

  /// Returns the attachments that a reader extracts, by name.
  func attachments() async throws -> [String: Data] {
    let place = file.deletingLastPathComponent().appendingPathComponent("attached")
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    _ = try await run("pdfdetach", ["-saveall", "-o", place.path, file.path])
    var found: [String: Data] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: place.path) {
      found[name] = try Data(contentsOf: place.appendingPathComponent(name))
    }
    return found
  }

  /// Returns the texts that a reader of codes reads on a page.
  func codes(page: Int) async throws -> [String] {
    let root = file.deletingLastPathComponent().appendingPathComponent("codes")
    _ = try await run(
      "pdftoppm",
      ["-r", "150", "-f", "\(page)", "-l", "\(page)", "-singlefile", "-png", file.path, root.path])
    let reader = try #require(Program.tool("zbarimg"))
    let outcome = try await Program.run(
      reader, ["-q", "--raw", root.appendingPathExtension("png").path])
    return outcome.output.split(separator: "\n").map(String.init)
  }

  /// Returns a page's pixels, 36 to the inch.
  func pixels(page: Int) async throws -> Pixels {
    let root = file.deletingLastPathComponent().appendingPathComponent("page")
    _ = try await run(
      "pdftoppm",
      ["-r", "36", "-f", "\(page)", "-l", "\(page)", "-singlefile", file.path, root.path])
    return try Pixels(ppm: try Data(contentsOf: root.appendingPathExtension("ppm")))
  }

  private func run(_ tool: String, _ arguments: [String]) async throws -> String {
    let path = try #require(Program.tool(tool), "\(tool) is not installed")
    let outcome = try await Program.run(path, arguments)
    #expect(outcome.status == 0, "\(tool): \(outcome.errors)")
    #expect(outcome.errors == "", "\(tool) complains")
    return outcome.output
  }

  /// A page as an image.
  struct Pixels {
    let width: Int
    let height: Int
    private let bytes: [UInt8]

    /// Reads Netpbm's binary RGB: `P6`, width, height, 255, then the pixels.
    init(ppm: Data) throws {
      var rest = Array(ppm)[...]
      func number() -> Int? {
        let digits = rest.drop { !(0x30...0x39).contains($0) }.prefix { (0x30...0x39).contains($0) }
        rest = rest[digits.endIndex...]
        return Int(String(decoding: digits, as: UTF8.self))
      }
      _ = number()
      width = try #require(number())
      height = try #require(number())
      _ = number()
      bytes = Array(rest.dropFirst())
      try #require(bytes.count == 3 * width * height)
    }

    /// Returns the share of pixels that differ from another picture, 0 to 1; nil if the sizes
    /// differ. A pixel differs if one of its colours is further away than `threshold`, which covers
    /// letters' rims by another version of the reader.
    func difference(from other: Pixels, beyond threshold: Int = 48) -> Double? {
      guard (width, height) == (other.width, other.height) else { return nil }
      let count = (0..<(width * height)).count { pixel in
        (3 * pixel..<3 * pixel + 3).contains {
          abs(Int(bytes[$0]) - Int(other.bytes[$0])) > threshold
        }
      }
      return Double(count) / Double(max(1, width * height))
    }

    /// The share of the page's text area down to its lowest mark, 0 to 1: the footer, the header
    /// and the edges do not count.
    var filledShare: Double {
      let (top, bottom) = (height * 8 / 100, height * 92 / 100)
      let lowest = (top..<bottom).last { row in
        (0..<width).contains { bytes[3 * (row * width + $0)] < 200 }
      }
      return lowest.map { Double($0 - top) / Double(bottom - top) } ?? 0
    }

    /// Counts the pixels that `accepts` accepts.
    func count(where accepts: (_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> Bool) -> Int {
      (0..<(width * height)).count { accepts(bytes[3 * $0], bytes[3 * $0 + 1], bytes[3 * $0 + 2]) }
    }

    /// Returns the middle of all pixels that `accepts` accepts; nil without one.
    func middle(where accepts: (_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> Bool) -> (
      x: Double, y: Double
    )? {
      var sum = (x: 0, y: 0, count: 0)
      for index in 0..<(width * height)
      where accepts(bytes[3 * index], bytes[3 * index + 1], bytes[3 * index + 2]) {
        sum = (sum.x + index % width, sum.y + index / width, sum.count + 1)
      }
      guard sum.count > 0 else { return nil }
      return (Double(sum.x) / Double(sum.count), Double(sum.y) / Double(sum.count))
    }
  }
}
