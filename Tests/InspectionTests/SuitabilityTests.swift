import Geodesy
import Positioning
import Testing
import TimeAndText

@testable import Inspection

@Suite("Whether a photo is fit to decide upon")
struct SuitabilityTests {
  private func photo(_ origin: PhotoOrigin = .camera, isSimulated: Bool = false) throws -> Photo {
    let now = DeviceTime(millisecondsSince1970: 1_780_302_600_000)
    return Photo(
      id: Identifier(at: now), agency: "north", inspector: "ines", task: nil, origin: origin,
      gnssTime: now.gnssTime, deviceTime: now,
      position: PhotoPosition(
        kept: try #require(Coordinate(latitudeDegrees: 49, longitudeDegrees: 16)),
        ellipsoidalHeightMetres: nil, meanSeaLevelHeightMetres: nil, uncertaintyMetres95: 2,
        method: .fix), standpoint: nil, orientation: nil,
      camera: .assumed(widthPixels: 4, heightPixels: 3),
      fileDigest: String(repeating: "0", count: 64), bytes: 1, widthPixels: 4, heightPixels: 3,
      isSimulated: isSimulated)
  }

  @Test("a photo that nothing speaks against is suitable, whatever could not be checked")
  func suitable() throws {
    let checks = PhotoCheck.Name.allCases.map { PhotoCheck($0, .notCheckable) }
    #expect(Suitability(try photo(), checks: checks).isSuitable)
  }

  @Test("an import, a replay and a photo outside its parcel are never plainly suitable")
  func notSuitable() throws {
    let inside = [PhotoCheck(.parcel, .agrees)]
    #expect(Suitability(try photo(.imported), checks: inside).reasons == [.imported])
    #expect(Suitability(try photo(isSimulated: true), checks: inside).reasons == [.simulated])
    let outside = [PhotoCheck(.parcel, .contradicts), PhotoCheck(.times, .contradicts)]
    #expect(Suitability(try photo(), checks: outside).reasons == [.outside, .times])
    // A hint is no reason.
    #expect(Suitability(try photo(), checks: [PhotoCheck(.similar, .contradicts)]).isSuitable)
  }
}
