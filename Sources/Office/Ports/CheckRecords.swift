import Evidence
import Geodesy
import Inspection
import Store
import Sync

/// Keeps the results of checks of an agency's photos, and the values that checks compare across photos.
public protocol CheckRecords {
  /// Keeps results of checks, in the place of earlier ones of the same names.
  func keep(_ checks: [PhotoCheck], ofPhoto id: Identifier) throws
  /// Forgets results of checks of a photo.
  func removeChecks(_ names: [PhotoCheck.Name], ofPhoto id: Identifier) throws
  /// Calls `body` with the likenesses of the agency's pictures in blocks: identifiers of 36
  /// characters each, and as many likenesses of 24 bytes each, in the same order.
  func forEachLikenessBlock(
    _ body: (_ photos: UnsafeRawBufferPointer, _ likenesses: UnsafeRawBufferPointer) throws -> Void
  ) throws
  /// Keeps likenesses for the photos that arrive later.
  func keep(likenesses: [(photo: Identifier, bytes: [UInt8])]) throws
  /// Finds where earlier captures heard a transmitter, and where the agency's own list has it.
  func places(ofTransmitter name: String) throws -> [TransmitterPlace]
  /// Keeps which transmitters a capture heard, and where.
  func keep(
    transmitters names: [String], ofPhoto id: Identifier, key: String, at place: Coordinate) throws
  /// Replaces the agency's own list of cells.
  func replaceCellSites(with sites: [CellSite]) throws
  /// Counts the cells of the agency's own list.
  func cellSiteCount() throws -> Int
  /// Finds captures whose raw windows overlap this one in time, in the order of their identifiers.
  func windows(
    overlapping use: WindowUse, except id: Identifier
  ) throws -> [(photo: Identifier, use: WindowUse)]
  /// Finds other captures with the same raw window, byte by byte, without simulated ones.
  func photos(withRawWindow digest: String, except id: Identifier) throws -> [Identifier]
  /// Keeps which epochs a capture rests on.
  func keep(_ use: WindowUse, ofPhoto id: Identifier) throws
}
