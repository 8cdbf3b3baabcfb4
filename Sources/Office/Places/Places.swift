import Inspection
import Store
import Sync

/// Finds tasks, photos, tracks and parcels by place.
package struct Places: OfficeService {
  /// The core of the office.
  package let core: OfficeCore
  let review: Review
}

extension Places {
  /// Returns one of the agency's parcels; nil if it has none of that identifier.
  public func parcel(_ identifier: String, in agency: String) async throws -> RegisteredParcel? {
    try await database.read(in: agency) { try $0.parcels.parcel(identifier) }
  }

  /// Returns the number of the agency's parcels.
  public func parcelCount(in agency: String) async throws -> Int {
    try await database.read(in: agency) { try $0.parcels.count() }
  }
}
