import Geodesy
import TimeAndText

/// The parcels around the tasks that an inspector still works on, by which they find their way.
public struct TaskNeighbourhood: Sendable {
  /// The greatest distance of a neighbour from a task's parcel, metres. It is what an inspector sees
  /// around them on a field, and reaches across a road or a stream.
  public static let neighbourhoodMetres = 300.0
  /// The most neighbours that one inspector gets; the nearest ones.
  public static let parcelsAtMost = 2000
  /// The most tasks whose neighbours are looked for; the first due ones. More is no day's work.
  public static let tasksAtMost = 200

  /// The parcels of the tasks, each once, the first due first.
  public let lands: [Parcel]
  /// True if there are more tasks or neighbours than are taken.
  public private(set) var isCut: Bool
  private var found: [String: (parcel: Parcel, metres: Double)] = [:]

  /// Creates the neighbourhood of an inspector's tasks, without parcels yet.
  public init(of tasks: [InspectionTask]) {
    let urgent = Self.urgent(tasks).filter { $0.parcel != nil }
    var known: Set<Parcel> = []
    lands = urgent.prefix(Self.tasksAtMost).flatMap(\.parcels).filter {
      known.insert($0).inserted
    }
    isCut = urgent.count > Self.tasksAtMost
  }

  /// Returns the tasks that are still to be done, the first due first.
  public static func urgent(_ tasks: [InspectionTask]) -> [InspectionTask] {
    func due(_ task: InspectionTask) -> Int64 { task.due?.millisecondsSince1970 ?? .max }
    return tasks.filter(\.state.isEditable).sorted { (due($0), $0.id) < (due($1), $1.id) }
  }

  /// Returns boxes that hold all that is near a task's parcel, one for each of its parts.
  /// - Parameter metres: the greatest distance from the parcel, metres.
  public static func boxes(
    around land: Parcel, metres: Double = neighbourhoodMetres
  ) -> [CoordinateBox] {
    // A degree of latitude has up to 0.7 % less than the metres that a box reckons with.
    land.parts.compactMap {
      DegreeBox($0.outline).widened(byMetres: 1.01 * metres)
    }
  }

  /// True if there are enough neighbours, so that those of further tasks are not looked for.
  public var isFull: Bool { found.count > Self.parcelsAtMost }

  /// Adds those of some parcels that are near a task's parcel.
  /// - Parameter areAll: false if there may be further parcels in its boxes.
  public mutating func add(_ parcels: [Parcel], near land: Parcel, areAll: Bool) {
    if !areAll { isCut = true }
    guard let region = PolygonRegion(rings: land.rings) else { return }
    for parcel in parcels {
      let known = found[parcel.identifier]?.metres ?? .infinity
      guard known > 0,
        let metres = PolygonRegion(rings: parcel.rings).flatMap({
          region.gapMetres(to: $0, within: Self.neighbourhoodMetres)
        }), metres < known
      else { continue }
      found[parcel.identifier] = (parcel, metres)
    }
    if isFull { isCut = true }
  }

  /// The neighbours, each once, those nearest to a task first.
  public var nearest: [Parcel] {
    found.values.sorted { ($0.metres, $0.parcel.identifier) < ($1.metres, $1.parcel.identifier) }
      .prefix(Self.parcelsAtMost).map(\.parcel)
  }
}
