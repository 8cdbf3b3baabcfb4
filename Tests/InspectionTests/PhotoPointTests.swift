import Geodesy
import Inspection
import Positioning
import TestSupport
import Testing
import TimeAndText

@Suite("Photo points")
struct PhotoPointTests {
  private let now = DeviceTime(millisecondsSince1970: 1_780_000_000_000)

  private func photo(
    _ origin: PhotoOrigin = .camera, at place: (Double, Double) = (49.1, 16.6)
  ) throws -> Photo {
    var random = SeededGenerator(seed: 3)
    let coordinate = try #require(
      Coordinate(latitudeDegrees: place.0, longitudeDegrees: place.1))
    return Photo(
      id: Identifier(at: now, using: &random), agency: "north", inspector: "ines", task: nil,
      origin: origin, gnssTime: now.gnssTime, deviceTime: now,
      position: PhotoPosition(
        kept: coordinate, ellipsoidalHeightMetres: nil, meanSeaLevelHeightMetres: nil,
        uncertaintyMetres95: nil, method: .fix),
      standpoint: nil, orientation: nil, camera: .assumed(widthPixels: 4, heightPixels: 3),
      fileDigest: String(repeating: "a", count: 64), bytes: 10, widthPixels: 4, heightPixels: 3,
      isSimulated: false)
  }

  @Test("a code is read however it is typed, and each wrong or exchanged character is noticed")
  func code() throws {
    var random = SeededGenerator(seed: 1)
    for _ in 0..<200 {
      let code = PhotoPointCode(using: &random)
      #expect(PhotoPointCode(code.spaced.lowercased()) == code)
      let right = Array(code.description)
      for index in right.indices {
        for other in PhotoPointCode.alphabet where other != right[index] {
          var wrong = right
          wrong[index] = other
          #expect(PhotoPointCode(String(wrong)) == nil)
        }
        for second in right.indices where right[second] != right[index] {
          var wrong = right
          wrong.swapAt(index, second)
          #expect(PhotoPointCode(String(wrong)) == nil)
        }
      }
    }
    for text in ["", "ABC", "00000000", "ABCDEFGHJ", "ABCD EFG\u{0}", "١٢٣٤٥٦٧٨"] {
      #expect(PhotoPointCode(text) == nil, "\(text)")
    }
  }

  @Test("a label's text leads to its agency and code, and no other text does")
  func label() throws {
    var random = SeededGenerator(seed: 2)
    let code = PhotoPointCode(using: &random)
    let text = code.labelText(agency: "north")
    let read = try #require(PhotoPointCode.ofLabel(text))
    #expect(read.agency == "north" && read.code == code)
    for wrong in [
      "", "standpoint:point/", "standpoint:point/north", "standpoint:point//\(code)",
      "standpoint:point/north/\(code)/x", "https://example.org/north/\(code)", text + "A",
      "standpoint:point/north/\(code)" + String(repeating: " ", count: 400),
    ] {
      #expect(PhotoPointCode.ofLabel(wrong) == nil, "\(wrong)")
    }
  }

  @Test("a point takes place, attitude and digest from its photo; a phone's photo makes none")
  func making() throws {
    var random = SeededGenerator(seed: 4)
    let photo = try photo()
    let point = try PhotoPoint(
      id: Identifier(at: now, using: &random), of: photo, maker: "ines", made: now)
    #expect(point.stand.coordinate == photo.position.coordinate)
    #expect(point.reference == PhotoPoint.Picture(photo: photo.id, digest: photo.fileDigest))
    #expect(point.pose == .measured && point.agency == "north" && point.code == nil)
    let id = Identifier(at: now, using: &random)
    let phone = try self.photo(.egnss4cap)
    #expect(throws: InspectionError.photoPoint(.unsealed)) {
      _ = try PhotoPoint(id: id, of: phone, maker: "ines", made: now)
    }
  }

  @Test("a name is trimmed; a long one and one with control characters are refused")
  func name() throws {
    let long = String(repeating: "P", count: PhotoPointRule.parcelCharactersAtMost)
    #expect(try PhotoPointRule.parcel(long) == long && PhotoPointRule.parcel("") == nil)
    #expect(throws: InspectionError.photoPoint(.parcel)) {
      _ = try PhotoPointRule.parcel(long + "1")
    }
    #expect(try PhotoPointRule.name("  Hedge at the lane ") == "Hedge at the lane")
    #expect(try PhotoPointRule.name(" ") == nil && PhotoPointRule.name(nil) == nil)
    #expect(try PhotoPointRule.name(String(repeating: "ž", count: 100))?.count == 100)
    for wrong in [String(repeating: "a", count: 101), "a\nb", "a\u{0}b", "a\u{85}b"] {
      #expect(throws: InspectionError.photoPoint(.name)) { _ = try PhotoPointRule.name(wrong) }
    }
  }

  @Test(
    "a repeat claims distance and angles against its reference, and the comparison if there is one")
  func claims() async throws {
    var random = SeededGenerator(seed: 5)
    var point = try PhotoPoint(
      id: Identifier(at: now, using: &random), of: try photo(), maker: "ines", made: now)
    point.stand.uncertaintyMetres95 = 3
    var later = try photo(at: (49.10001, 16.6))
    later.position = PhotoPosition(
      kept: later.position.coordinate, ellipsoidalHeightMetres: nil, meanSeaLevelHeightMetres: nil,
      uncertaintyMetres95: 4, method: .fix)
    let aim = RepeatAim(at: point) { _ in .unlike(matches: 4) }
    let claims = try #require(aim.claims(of: later, await aim.compare([])))
    #expect(claims.point == point.id && claims.referenceDigest == point.reference.digest)
    #expect(abs(claims.distanceMetres - 1.11) < 0.01)
    #expect(claims.distanceUncertaintyMetres95 == 5)
    #expect(claims.toleranceMetres == 5 && claims.isPlaceMet && claims.isAttitudeMet == nil)
    #expect(claims.inliers == 4 && claims.displacementPercent == nil)
    let uncompared = try #require(aim.claims(of: later, nil))
    #expect(uncompared.inliers == nil)
  }
}
