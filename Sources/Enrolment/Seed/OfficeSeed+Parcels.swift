import Foundation
import Geodesy
import Inspection
import Office
import Store
import Sync
import TimeAndText

extension OfficeSeed {
  private static let parcelsInTransaction = 2000
  private static let parcelCrops = ["wheat", "barley", "rape", "maize", "meadow", "clover", "vine"]
  /// The size of the cell for a parcel and the way around it, degrees.
  private static let cell = (northDegrees: 0.0016, eastDegrees: 0.0022)

  /// Makes a register: neighbouring fields around the villages where the tasks are, some thousands
  /// of square metres each, with 4 to 16 corners.
  /// - Parameter progress: called with the number of parcels added.
  mutating func fillParcels(at now: DeviceTime, _ progress: (Int) -> Void) async throws {
    guard size.parcels > 0, !villages.isEmpty else { return }
    let inVillage = (size.parcels + villages.count - 1) / villages.count
    let wide = max(1, Int(Double(inVillage).squareRoot().rounded(.up)))
    var made: [DeclaredParcel] = []
    for number in 0..<size.parcels {
      let village = villages[number / inVillage]
      let place = number % inVillage
      let middle = (
        latitude: village.latitude + Double(place / wide - wide / 2) * Self.cell.northDegrees,
        longitude: village.longitude + Double(place % wide - wide / 2) * Self.cell.eastDegrees
      )
      if let parcel = makeParcel(number, around: middle) { made.append(parcel) }
      guard made.count == Self.parcelsInTransaction || number == size.parcels - 1 else { continue }
      _ = try await office.database.takeParcels(in: Self.agency, at: now) { offer in
        try made.forEach(offer)
        return true
      } taken: { _, count in
        count
      }
      progress(made.count)
      made.removeAll(keepingCapacity: true)
    }
  }

  private mutating func makeParcel(
    _ number: Int, around middle: (latitude: Double, longitude: Double)
  ) -> DeclaredParcel? {
    let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]
    let between = Int.random(in: 0...3, using: &extras)
    var ring: [Coordinate] = []
    for side in 0..<4 {
      let (from, to) = (corners[side], corners[(side + 1) % 4])
      for step in 0...between {
        let part = Double(step) / Double(between + 1)
        // Each corner is moved towards the middle or away from it: such a ring never crosses
        // itself, and stays in its cell.
        let reach = Double.random(in: 0.40...0.48, using: &extras)
        let east = (from.0 + (to.0 - from.0) * part) * reach * Self.cell.eastDegrees
        let north = (from.1 + (to.1 - from.1) * part) * reach * Self.cell.northDegrees
        guard
          let corner = Coordinate(
            latitudeDegrees: Self.short(middle.latitude + north),
            longitudeDegrees: Self.short(middle.longitude + east))
        else { return nil }
        ring.append(corner)
      }
    }
    let crop = Self.parcelCrops[Int.random(in: 0..<Self.parcelCrops.count, using: &extras)]
    return Parcel(identifier: "R-\(1_000_000 + number)", rings: [ring]).map {
      DeclaredParcel(parcel: $0, name: "Field \(number + 1)", crop: crop, type: "arable")
    }
  }

  /// Rounds degrees to about a centimetre, as registers write them.
  private static func short(_ degrees: Double) -> Double { (degrees * 1e7).rounded() / 1e7 }
}
