import GRDB
import Geodesy
import Inspection
import Positioning

// The problem: a map of a register that has a million parcels, for any view, at once.
//
// The obvious idea: read what lies in the view. The widest view reads the whole register, and one parcel
// with a hundred thousand corners is as much as a thousand others.
//
// What is done: the tree of rectangles is asked for one more than can be drawn. Where it has that many, or
// their outlines have too many points, the view is too wide, and nothing else was read. An outline is handed
// on as it is kept, as GeoJSON's coordinates: nothing of it is read on the way.
//
// Cost: at most `limit` + 1 rows, and as many outlines.

/// A parcel of the register as a map draws it.
public struct ParcelOutline: Hashable, Sendable {
  /// The agency's identifier.
  public let identifier: String
  /// What people call it; nil without a name.
  public let name: String?
  /// What was declared to grow there; nil where nothing was.
  public let crop: String?
  /// The coordinates of a MultiPolygon as GeoJSON writes them, JSON; nil where they are more than are drawn,
  /// and the rectangle stands for them.
  public let coordinates: String?
  /// The rectangle round it, of a parcel on both sides of the antimeridian one of the two.
  public let box: DegreeBox
}
