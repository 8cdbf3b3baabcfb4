import Foundation
import TestSupport
import Testing
import TimeAndText

@testable import Orbits
@testable import Positioning

@Suite("Orbits for any time")
struct OrbitLibraryTests {
  /// 2026-06-01T09:30:00Z.
  private static let now = DeviceTime(millisecondsSince1970: 1_780_306_200_000)

  private static func almanac(week: Int) -> String {
    (1...8).map { AlmanacText.yuma(week: week, id: $0, node: Double($0) / 2) }.joined()
  }

  @Test("the orbit nearest to a photo's time counts; a claimed time does not move an almanac")
  func nearest() throws {
    try withTemporaryDirectory { folder in
      let library = OrbitLibrary(folder: folder.path)
      #expect(library.orbits(near: Self.now, readAt: Self.now).orbits.isEmpty)
      // The almanac counts its weeks only to 1023.
      try Self.almanac(week: 2421 % 1024).write(
        to: folder.appendingPathComponent("a.alm"), atomically: true, encoding: .utf8)
      let past = DeviceTime(millisecondsSince1970: Self.now.millisecondsSince1970 - 630_000_000_000)
      #expect(library.orbits(near: past, readAt: Self.now).orbits.count == 8)
      let (orbits, problems) = library.orbits(near: Self.now, readAt: Self.now)
      #expect(orbits.count == 8 && problems.isEmpty)
      #expect(orbits.allSatisfy { $0.age(at: Self.now) < 7 * 86_400 })
      try Self.almanac(week: 2420 % 1024).write(
        to: folder.appendingPathComponent("b.alm"), atomically: true, encoding: .utf8)
      let lastWeek = DeviceTime(
        millisecondsSince1970: Self.now.millisecondsSince1970 - 7 * 86_400_000)
      let earlier = library.orbits(near: lastWeek, readAt: Self.now).orbits
      #expect(earlier.count == 8 && earlier.allSatisfy { $0.age(at: lastWeek) < 5 * 86_400 })
    }
  }

  @Test("a file that is of no use is told once, harms none of the others, and is tried again")
  func useless() throws {
    try withTemporaryDirectory { folder in
      let library = OrbitLibrary(folder: folder.path)
      let broken = folder.appendingPathComponent("broken.tle")
      try "no orbits".write(to: broken, atomically: true, encoding: .utf8)
      try Self.almanac(week: 2421).write(
        to: folder.appendingPathComponent("a.alm"), atomically: true, encoding: .utf8)
      let first = library.orbits(near: Self.now, readAt: Self.now)
      #expect(first.orbits.count == 8 && first.problems.map(\.file) == ["broken.tle"])
      #expect(library.orbits(near: Self.now, readAt: Self.now).problems.isEmpty)
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o640], ofItemAtPath: broken.path)
      #expect(library.orbits(near: Self.now, readAt: Self.now).problems.count == 1)
      for number in 0..<70 {
        try "none".write(
          to: folder.appendingPathComponent("\(number)"), atomically: true, encoding: .utf8)
      }
      let many = library.orbits(near: Self.now, readAt: Self.now).problems
      #expect(many.contains { $0.words.description.contains("left out") })
    }
  }
}
