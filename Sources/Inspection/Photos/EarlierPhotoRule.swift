import TimeAndText

/// The rules for the earlier photos around an inspector's tasks, of which each device of the agency
/// keeps small pictures and dates.
public enum EarlierPhotoRule {
  /// The distance from a task's parcel within which earlier photos come to a device, metres.
  public static let aroundTasksMetres = 500.0
  /// The level of the map's grid by whose cells they are counted: cells of some 100 m.
  public static let gridLevel = 18
  /// The most clusters that come to one device; those nearest to a task.
  public static let clustersAtMost = 400
  /// The most photos of one cluster that come with their pictures.
  public static let shownAtMost = 8
  /// The most photos of one cluster among which these are chosen.
  public static let readAtMost = 200

  /// Returns the photos of a cluster that come with their pictures: the newest of each year, then the
  /// second of each year and so on, so that every year is seen.
  /// - Returns: at most `shownAtMost` photos, the newest first.
  public static func shown<Photo>(
    of photos: [Photo], taken: (Photo) -> DeviceTime
  ) -> [Photo] {
    let sorted = photos.sorted { taken($0) > taken($1) }
    var seen: [Int: Int] = [:]
    let ranked = sorted.enumerated().map { index, photo in
      let rank = seen[taken(photo).year, default: 0]
      seen[taken(photo).year] = rank + 1
      return (rank: rank, index: index)
    }
    return ranked.sorted { ($0.rank, $0.index) < ($1.rank, $1.index) }.prefix(shownAtMost)
      .map(\.index).sorted().map { sorted[$0] }
  }
}
