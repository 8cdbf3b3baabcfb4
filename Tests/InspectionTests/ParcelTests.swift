import Geodesy
import Inspection
import Testing

@Suite("Parcels")
struct ParcelTests {
  private static func ring(_ corners: [(Double, Double)]) throws -> [Coordinate] {
    try corners.map {
      try #require(Coordinate(latitudeDegrees: $0.0, longitudeDegrees: $0.1))
    }
  }

  @Test("an outline needs three corners")
  func corners() throws {
    let corners = [(48.0, 11.0), (48, 11.001), (48.001, 11)]
    #expect(Parcel(identifier: "A", rings: []) == nil)
    #expect(Parcel(identifier: "A", rings: [try Self.ring(Array(corners.prefix(2)))]) == nil)
    #expect(Parcel(identifier: "A", rings: [try Self.ring(corners)]) != nil)
  }

  @Test("a hole is no part of the area, and one stands outside in it")
  func holes() throws {
    let outline = try Self.ring([(48, 11), (48, 11.003), (48.003, 11.003), (48.003, 11)])
    let hole = try Self.ring([
      (48.001, 11.001), (48.001, 11.002), (48.002, 11.002), (48.002, 11.001),
    ])
    let whole = try #require(Parcel(identifier: "A", rings: [outline]))
    let pierced = try #require(Parcel(identifier: "A", rings: [outline, hole]))
    #expect(abs(whole.areaSquareMetres / 9 * 8 - pierced.areaSquareMetres) < 5)
    let middle = try #require(Coordinate(latitudeDegrees: 48.0015, longitudeDegrees: 11.0015))
    #expect(whole.distanceMetres(to: middle) == 0)
    #expect(try #require(pierced.distanceMetres(to: middle)) > 30)
  }
}
