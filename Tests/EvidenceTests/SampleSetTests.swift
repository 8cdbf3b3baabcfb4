import Foundation
import Inspection
import SetViewing
import TestSupport
import Testing

@testable import Evidence

/// The sample of an exported set in `exports/around`.
@Suite("The sample of an exported set")
struct SampleSetTests {
  private static let folder = Repository.root.appendingPathComponent("exports/around")

  @Test("is what the program writes, and each of its images is there")
  func same() throws {
    let (set, pictures, record) = try FieldDay.exportedSet()
    let document = AroundDocument(set, record: record)
    var files = [AroundDocument.fileName: document.bytes]
    for (number, bytes) in pictures { files[AroundDocument.imageName(number)] = bytes }
    if ProcessInfo.processInfo.environment["STANDPOINT_UPDATE"] != nil {
      try FileManager.default.createDirectory(
        at: Self.folder, withIntermediateDirectories: true)
      for (name, bytes) in files {
        try Data(bytes).write(to: Self.folder.appendingPathComponent(name))
      }
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
    #expect(Set(names) == Set(files.keys))
    for (name, bytes) in files {
      let there = try Data(contentsOf: Self.folder.appendingPathComponent(name))
      #expect(Array(there) == bytes, "\(name)")
    }
    let read = try AroundDocument(document.bytes)
    #expect(read.elements.map(\.image) == document.elements.map(\.image))
  }

  @Test("follows its schema, as another program reads it")
  func schema() async throws {
    let (set, _, record) = try FieldDay.exportedSet()
    let value = try JSONValue(parsing: AroundDocument(set, record: record).bytes)
    let cases = JSONValue.array([.array([.string("around"), value])])
    #expect(try await PythonTools.validate(cases: cases.canonicalBytes) == ["ok"])
  }
}

extension FieldDay {
  /// Returns a set, the pictures of its frames by their numbers, and the SHA-256 of its record: the
  /// same in each run.
  static func exportedSet() throws -> (set: FrameSet, pictures: [Int: [UInt8]], record: String) {
    var day = try FieldDay(seed: 72)
    day.key = try SampleBundleTests.key()
    try day.frameSet(at: try place(48.2005, 11.6003), sectors: 8, missing: [3])
    let entry = try #require(day.entries.first)
    let set = try day.sealFiles()[0].frameSet(list: try #require(entry.file))
    let pictures = set.frames.indices.map { ($0 + 1, entry.parts[.frame($0 + 1)] ?? []) }
    return (
      set, Dictionary(uniqueKeysWithValues: pictures),
      Digest.hexadecimal(entry.record.canonicalBytes)
    )
  }
}
