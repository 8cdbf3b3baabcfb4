import Foundation
import Inspection
import Positioning
import TestSupport
import Testing

@testable import Imagery
@testable import Matching

/// The displacement that the worker measures, against pictures whose displacement is known.
/// `make displacement` takes 100 changes of each photo and more than 1,000 pairs.
@Suite("The displacement of pictures")
struct DisplacementTests {
  private static let count =
    ProcessInfo.processInfo.environment["DISPLACEMENT"].flatMap(Int.init(_:)) ?? 3
  private static let matcher = PictureMatcher(
    program: Program.standpoint, patience: .init(comparison: .seconds(60)))

  private func measure(_ picture: PixelBuffer, name: String, seed: UInt64) async throws -> [Double]
  {
    var generator = SeededGenerator(seed: seed)
    let earlier = PictureMatcher.Earlier(
      digest: name, bytes: try picture.encodeJPEG(quality: 92))
    var errors: [Double] = []
    for number in 0..<Self.count {
      let warped = try WarpedPicture(of: picture, &generator)
      let comparison = try await Self.matcher.compare(earlier, with: warped.jpeg)
      let found = try #require(
        comparison.displacementPercent, "\(name) \(number): \(comparison.inliers) features agree")
      errors.append(abs(found - warped.displacementPercent))
    }
    return errors
  }

  @Test(
    "photos of cameras taken again: the mean error is below 0.3 % of the frame",
    .enabled(if: Repository.shared("data/photos") != nil, "there are no photos of cameras here"))
  func photos() async throws {
    var all: [Double] = []
    let photos = try WarpedPicture.photos()
    #expect(photos.count >= 6)
    for (index, photo) in photos.enumerated() {
      let errors = try await measure(photo.picture, name: photo.name, seed: UInt64(index))
      #expect(
        errors.reduce(0, +) / Double(errors.count) <= 0.3, "\(photo.name): \(errors)")
      all += errors
    }
    if Self.count > 3 {
      let mean = all.reduce(0, +) / Double(all.count)
      print("displacement: \(all.count) changes, mean error \(mean) %, worst \(all.max() ?? 0) %")
    }
  }

  @Test("drawn fields taken again: the mean error is below 0.3 % of the frame")
  func drawn() async throws {
    for seed in 0..<3 {
      let errors = try await measure(
        try WarpedPicture.field(seed), name: "field \(seed)", seed: UInt64(seed))
      #expect(errors.reduce(0, +) / Double(errors.count) <= 0.3, "field \(seed): \(errors)")
    }
  }

  @Test("pictures of different things cannot be compared")
  func different() async throws {
    // Each photo in several changes, and drawn fields, each with each.
    var pictures: [(name: String, jpeg: [UInt8])] = []
    var generator = SeededGenerator(seed: 29)
    for photo in try WarpedPicture.photos() {
      for _ in 0..<max(1, Self.count / 25) {
        let jpeg = try WarpedPicture(of: photo.picture, &generator).jpeg
        pictures.append((photo.name, jpeg))
      }
    }
    for seed in 0..<(Self.count > 3 ? 30 : 5) {
      pictures.append(("field \(seed)", try WarpedPicture.field(seed).encodeJPEG(quality: 80)))
    }
    var (pairs, most) = (0, 0)
    for (index, one) in pictures.enumerated() {
      for other in pictures[..<index] where other.name != one.name {
        let comparison = try await Self.matcher.compare(
          PictureMatcher.Earlier(digest: "\(index)", bytes: one.jpeg), with: other.jpeg)
        pairs += 1
        most = max(most, comparison.inliers)
        #expect(
          comparison.inliers < PictureComparison.fewestInliers
            && comparison.displacementPercent == nil, "\(one.name) and \(other.name)")
      }
    }
    if Self.count > 3 { print("displacement: \(pairs) different pairs, at most \(most) features") }
  }
}
