import Inspection
import Testing

@Suite("How far a picture is displaced against an earlier one")
struct PictureComparisonTests {
  private func homography(_ rows: Double...) throws -> PictureHomography {
    try #require(PictureHomography(rows: rows))
  }

  @Test("a shift by 3 and 4 per cent is a displacement of 5")
  func shift() throws {
    let shifted = try homography(1, 0, 0.03, 0, 1, 0.04, 0, 0, 1)
    let displacement = PictureComparison(inliers: 30, cells: 8, homography: shifted)
      .displacementPercent
    #expect(abs(try #require(displacement) - 5) < 1e-12)
  }

  @Test("a tenth larger about the middle moves each mark by 0.03 in both directions")
  func scale() throws {
    let larger = try homography(1.1, 0, -0.05, 0, 1.1, -0.05, 0, 0, 1)
    let displacement = PictureComparison(inliers: 200, cells: 8, homography: larger)
      .displacementPercent
    #expect(abs(try #require(displacement) - 3 * 2.0.squareRoot()) < 1e-12)
  }

  @Test("fewer than 30 agreeing features give no number")
  func tooFew() throws {
    let same = try homography(1, 0, 0, 0, 1, 0, 0, 0, 1)
    let comparison = PictureComparison(inliers: 29, cells: 8, homography: same)
    #expect(comparison == .unlike(matches: 29) && comparison.displacementPercent == nil)
    #expect(PictureComparison(inliers: 500, cells: 8, homography: nil) == .unlike(matches: 500))
  }

  @Test("features that all lie in one corner, as a time written into the picture, give no number")
  func corner() throws {
    let same = try homography(1, 0, 0, 0, 1, 0, 0, 0, 1)
    #expect(PictureComparison(inliers: 90, cells: 7, homography: same) == .unlike(matches: 90))
  }

  @Test("a map that throws a mark behind the camera gives no number")
  func behind() throws {
    let folded = try homography(1, 0, 0, 0, 1, 0, -2, 0, 1)
    #expect(PictureComparison(inliers: 100, cells: 8, homography: folded) == .unlike(matches: 100))
  }

  @Test("a mirrored picture is none")
  func mirrored() throws {
    let mirrored = try homography(-1, 0, 1, 0, 1, 0, 0, 0, 1)
    #expect(
      PictureComparison(inliers: 100, cells: 20, homography: mirrored) == .unlike(matches: 100))
  }

  @Test("numbers that are not finite, or not nine, are no map")
  func numbers() {
    #expect(PictureHomography(rows: [1, 0, 0, 0, 1, 0, 0, 0]) == nil)
    #expect(PictureHomography(rows: [1, 0, 0, 0, .nan, 0, 0, 0, 1]) == nil)
  }
}
