import Geodesy
import Inspection
import TestSupport
import Testing

@testable import Sync

@Suite("The list of parcels around tasks")
struct ParcelListMessageTests {
  private func parcel(_ name: String, corners: Int = 3) throws -> Parcel {
    let ring = try (0..<corners).map { number in
      try #require(
        Coordinate(
          latitudeDegrees: -89.123_456_74 + Double(number % 2) / 10,
          longitudeDegrees: -179.123_456_76 + Double(number) / 1e6))
    }
    return try #require(Parcel(identifier: name, rings: [ring]))
  }

  /// Returns a list with one parcel whose ring is given as JSON.
  private func json(
    ring: String = "[[16,49],[16.1,49],[16,49.1]]", schema: String = "standpoint.parcels/1",
    name: String = "P-1", more: String = ""
  ) -> [UInt8] {
    Array(
      """
      {"schema":"\(schema)","isCut":false,"parcels":[{"identifier":"\(name)","rings":[\(ring)]}\(more)]}
      """.utf8)
  }

  @Test("it comes back as it was sent, with corners of 0.0000001°")
  func same() throws {
    let message = ParcelListMessage(nearest: [try parcel("A"), try parcel("B")], isCut: true)
    let read = try ParcelListMessage.read(try WireJSON.bytes(message))
    #expect(read == message && read.isCut && read.parcels.map(\.identifier) == ["A", "B"])
    #expect(read.parcels[0].rings[0][0] == [-179.1234568, -89.1234567])
    #expect(try ParcelListMessage.read(json()).parcels.count == 1)
  }

  @Test("it never has more than its bytes, whatever the parcels, and says that it is cut")
  func bounded() throws {
    // The largest corner and the most expensive character.
    let name = String(repeating: "\"", count: ParcelListMessage.identifierBytesAtMost - 5)
    let many = try (0..<2100).map { try parcel("\(name)\($0)", corners: 100) }
    let message = ParcelListMessage(nearest: many)
    let bytes = try WireJSON.bytes(message)
    #expect(message.isCut && bytes.count <= ParcelListMessage.bytesAtMost && message.isSound)
    #expect(bytes.count > ParcelListMessage.bytesAtMost / 4)
    // One parcel that is too large keeps none of the others away.
    let large = try parcel("large", corners: ParcelListMessage.cornersAtMost + 1)
    let rest = ParcelListMessage(nearest: [large, try parcel("small")])
    #expect(rest.isCut && rest.parcels.map(\.identifier) == ["small"])
    let small = try (0...TaskNeighbourhood.parcelsAtMost).map { try parcel("\($0)") }
    let cut = ParcelListMessage(nearest: small)
    #expect(cut.isCut && cut.parcels.count == TaskNeighbourhood.parcelsAtMost)
    #expect(!ParcelListMessage(nearest: Array(small.dropLast())).isCut)
  }

  @Test("what is not valid is refused as a whole")
  func hostile() throws {
    let good = "{\"identifier\":\"Q\",\"rings\":[[[16,49],[16.1,49],[16,49.1]]]}"
    let lists = [
      json(ring: "[[16,49],[16.1,49]]"), json(ring: "[]"), json(ring: "[[16,49],[16.1],[16,49.1]]"),
      json(ring: "[[16,49],[16.1,49,1],[16,49.1]]"), json(ring: "[[16,91],[16.1,49],[16,49.1]]"),
      json(ring: "[[-181,49],[16.1,49],[16,49.1]]"), json(ring: "[[NaN,49],[16.1,49],[16,49.1]]"),
      json(ring: "[[1e999,49],[16.1,49],[16,49.1]]"), json(ring: "[[null,49],[1,49],[16,49.1]]"),
      json(name: ""), json(name: "\\u0000"), json(more: ",\(good),\(good)"), json(more: ",{}"),
      json(name: String(repeating: "x", count: ParcelListMessage.identifierBytesAtMost + 1)),
      Array("{\"schema\":\"standpoint.parcels/1\",\"parcels\":[]}".utf8), Array("[]".utf8), [],
    ]
    for list in lists {
      #expect(throws: SyncError.self, "\(String(decoding: list.prefix(120), as: UTF8.self))") {
        try ParcelListMessage.read(list)
      }
    }
    #expect(try ParcelListMessage.read(json(more: ",\(good)")).parcels.count == 2)
    #expect(
      throws: SyncError.unknownSchema(
        found: "standpoint.parcels/2", expected: "standpoint.parcels/1")
    ) { try ParcelListMessage.read(json(schema: "standpoint.parcels/2")) }
    let blanks = [UInt8](repeating: 0x20, count: ParcelListMessage.bytesAtMost)
    #expect(throws: SyncError.self) { try ParcelListMessage.read(json() + blanks) }
    var many = ParcelListMessage()
    many.parcels = try (0...TaskNeighbourhood.parcelsAtMost).map {
      ParcelListMessage.Land(try parcel("\($0)"))
    }
    #expect(!many.isSound)
    many.parcels.removeLast()
    #expect(many.isSound)
    many.parcels = [
      ParcelListMessage.Land(try parcel("one", corners: ParcelListMessage.cornersAtMost + 1))
    ]
    #expect(!many.isSound)
  }
}
