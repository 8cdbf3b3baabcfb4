import TestSupport
import Testing

@testable import Web

@Suite("Forms that carry a file") struct MultipartTests {
  private static let body =
    "--b1\r\nContent-Disposition: form-data; name=\"csrf\"\r\n\r\ntoken\r\n"
    + "--b1\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.csv\"\r\n"
    + "Content-Type: text/csv\r\n\r\none\r\n--b\r\n\r\ntwo\r\n--b1--\r\n"

  /// Returns the parts of a body that comes in pieces of these sizes: name, file name, content.
  private func parts(_ text: String, pieces: [Int]) throws -> (parts: [[String]], isWhole: Bool) {
    var reader = try #require(
      MultipartReader(contentType: "multipart/form-data; boundary=b1"))
    var parts: [[String]] = []
    var content: [UInt8] = []
    var rest = Array(text.utf8)[...]
    var turn = 0
    while !rest.isEmpty {
      let piece = Array(rest.prefix(max(1, pieces[turn % pieces.count])))
      rest = rest.dropFirst(piece.count)
      turn += 1
      for event in try reader.feed(piece) {
        switch event {
        case .part(let name, let fileName):
          parts.append([name, fileName ?? "-"])
          content = []
        case .bytes(let bytes): content += bytes
        case .endOfPart: parts[parts.count - 1].append(String(decoding: content, as: UTF8.self))
        }
      }
    }
    return (parts, reader.isFinished)
  }

  @Test("wherever the body is cut, its parts are the same")
  func pieces() throws {
    let expected = [["csrf", "-", "token"], ["file", "a.csv", "one\r\n--b\r\n\r\ntwo"]]
    try forEachSeed(0..<60) { seed, generator in
      let sizes = (0..<4).map { _ in Int.random(in: 1...30, using: &generator) }
      let read = try parts(Self.body, pieces: sizes)
      #expect(read.parts == expected, "seed \(seed)")
      #expect(read.isWhole, "seed \(seed)")
    }
  }

  @Test("an empty file is an empty part, a body that breaks off is not whole")
  func ends() throws {
    let empty =
      "--b1\r\nContent-Disposition: form-data; name=\"file\"; filename=\"\"\r\n\r\n\r\n--b1--\r\n"
    #expect(try parts(empty, pieces: [7]).parts == [["file", "", ""]])
    #expect(try !parts(String(Self.body.dropLast(6)), pieces: [50]).isWhole)
    #expect(try !parts("", pieces: [1]).isWhole)
  }

  @Test(
    "other types and broken boundaries are no forms with a file",
    arguments: [
      nil, "", "text/plain", "multipart/form-data", "multipart/form-data; boundary=",
      "multipart/form-data; boundary=a; boundary=b", "multipart/mixed; boundary=a",
      "multipart/form-data; boundary=\u{E9}",
      "multipart/form-data; boundary=" + String(repeating: "a", count: 71),
    ])
  func types(type: String?) {
    #expect(MultipartReader(contentType: type) == nil)
  }

  @Test(
    "what browsers never write is refused",
    arguments: [
      "--b1x\r\n", "--b1\r\nContent-Type: text/plain\r\n\r\nx\r\n--b1--",
      "--b1\r\nContent-Disposition: form-data\r\n\r\nx\r\n--b1--",
      "--b1\r\nContent-Disposition: form-data; name=\"a\"\r\nContent-Disposition: form-data; name=\"b\"\r\n\r\n",
      "--b1\r\n" + String(repeating: "x", count: 5000),
      String(
        repeating: "--b1\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nx\r\n", count: 65),
    ])
  func hostile(text: String) {
    #expect(throws: WebProblem.malformedRequest) { try parts(text, pieces: [64]) }
  }

  @Test("mutated bodies never trap")
  func fuzz() {
    forEachSeed(0..<500) { _, generator in
      var bytes = Array(Self.body.utf8)
      for _ in 0..<5 {
        bytes[Int.random(in: 0..<bytes.count, using: &generator)] = .random(
          in: 0...255, using: &generator)
      }
      var reader = MultipartReader(contentType: "multipart/form-data; boundary=b1")
      _ = try? reader?.feed(bytes)
    }
  }
}
