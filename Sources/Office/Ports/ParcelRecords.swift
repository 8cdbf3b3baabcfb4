import Evidence
import Geodesy
import Inspection
import Store
import Sync

/// Reads an agency's register of parcels. `OfficeDatabase.takeParcels` writes it.
public protocol ParcelRecords {
  /// Returns the effect that keeping a parcel would have; writes nothing.
  func effect(of parcel: DeclaredParcel) throws -> ImportEffect
  /// Finds the parcel of an identifier; nil if the agency has none.
  func parcel(_ identifier: String) throws -> RegisteredParcel?
  /// Counts the agency's parcels.
  func count() throws -> Int
  /// Reads the parcels after an identifier, in the order of their identifiers; nil reads from the
  /// first.
  func page(after identifier: String?, limit: Int) throws -> [RegisteredParcel]
  /// Reads the parcels whose identifiers begin with a text, in their order.
  func list(beginningWith prefix: String, limit: Int) throws -> [RegisteredParcel]
  /// Reads the parcels with a ring in a part of the world.
  func list(in box: CoordinateBox, limit: Int) throws -> [RegisteredParcel]
  /// Reads the outlines that a map draws of a part of the world; nil if they are too many.
  func outlines(in box: CoordinateBox, limit: Int, pointLimit: Int) throws -> [ParcelOutline]?
  /// Reads the outline of one parcel; nil if the agency has none of this identifier.
  func outline(_ identifier: String) throws -> ParcelOutline?
  /// Finds the box around some neighbouring parcels; nil if the register is empty.
  func neighbourhood() throws -> DegreeBox?
}
