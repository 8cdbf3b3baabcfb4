/// The convex hull of plane points, for drawing.
public enum ConvexHull {
  /// Returns the corners of the hull, counter-clockwise from the westernmost (the southernmost of
  /// several).
  ///
  /// The hull is strictly convex: points on an edge are left out. Points on one line give its two
  /// ends, equal points give one corner, no points give none. Points that are not finite are left
  /// out. The method is Andrew's monotone chain with exact turns, O(n log n).
  public static func of(_ points: [PlanePoint]) -> [PlanePoint] {
    let sorted = ConvexLayers.sortedDistinct(points)
    guard sorted.count > 2 else { return sorted }
    var hull: [PlanePoint] = []
    appendChain(sorted, to: &hull)
    appendChain(sorted.reversed(), to: &hull)
    return hull
  }

  /// Appends the chain that turns left along the points, without its last point.
  private static func appendChain(_ points: some Sequence<PlanePoint>, to hull: inout [PlanePoint])
  {
    let start = hull.count
    for point in points {
      while hull.count >= start + 2,
        Orientation.sign(hull[hull.count - 2], hull[hull.count - 1], point) <= 0
      {
        hull.removeLast()
      }
      hull.append(point)
    }
    hull.removeLast()
  }
}
