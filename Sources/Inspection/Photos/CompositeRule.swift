import Geodesy

/// The rule by which photos are offered beside one for a composite: those of its task, and those taken
/// near it, the nearest first.
public enum CompositeRule {
  /// The most photos that are offered.
  public static let offeredAtMost = 60
  /// The distance within which another photo may show the same, metres.
  public static let nearMetres = 100.0

  /// Returns the photos that are offered beside one.
  /// - Parameters:
  ///   - photo: the photo to which another one is looked for; it is not among the answer.
  ///   - others: all photos that may be offered, with the places where they were taken.
  public static func offered<Other>(
    beside photo: Photo,
    among others: [(id: Identifier, task: Identifier?, place: Coordinate, Other)]
  ) -> [Other] {
    let here = photo.position.coordinate
    return others.filter { $0.id != photo.id }
      .map { (metres: Geodesic.distanceMetres(from: here, to: $0.place), other: $0) }
      .filter { metres, other in
        metres <= nearMetres || (other.task != nil && other.task == photo.task)
      }
      .sorted { ($0.metres, $0.other.id.description) < ($1.metres, $1.other.id.description) }
      .prefix(offeredAtMost).map { $0.other.3 }
  }
}
