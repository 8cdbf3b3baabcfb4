import GRDB
import Geodesy
import Inspection

// The problem: a map of a register with a million parcels, for any view, without a noticeable wait.
//
// The obvious idea: read the parcels in the view. The widest view reads the whole register, and one
// parcel with a hundred thousand corners is as much as a thousand others.
//
// The solution: the tree of rectangles is asked for one more than can be drawn. If it has that
// many, or if their outlines have too many points, the view is too wide, and no outline was read.
// An outline is passed on as it is kept, as GeoJSON's coordinates, without being parsed.
//
// Cost: at most `limit` + 1 rows of the tree for each part of the view, and as many outlines.

/// A parcel of the register as a map draws it.
public struct ParcelOutline: Hashable, Sendable {
  /// The agency's identifier of the parcel.
  public let identifier: String
  /// The parcel's name for people; nil if it has none.
  public let name: String?
  /// The declared crop; nil if none was declared.
  public let crop: String?
  /// The coordinates of a MultiPolygon as GeoJSON writes them, JSON; nil if the outline has more
  /// points than are drawn, so that the map draws the rectangle instead.
  public let coordinates: String?
  /// The rectangle round the parcel; for a parcel on both sides of the antimeridian one of its two.
  public let box: DegreeBox
}
