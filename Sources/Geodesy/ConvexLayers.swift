// The problem: peel a set of points like an onion. The points on the boundary of the convex hull
// are the first layer; the hull of the rest is the second; and so on until no point is left.
//
// The obvious idea: compute a hull, remove its points, start again. A set of n points can have n/3
// layers (triangles within triangles), and every hull reads all points that are left: 100,000
// points cost billions of steps. Gift wrapping in floating point also loses points on the edges.
//
// The solution: the points are sorted once, and two trees keep the upper and the lower hull while
// points are taken away (`HullTree`). A layer is read from both trees, then removed from both; only
// bridges that lost an end are searched again. All turns are exact (`Orientation`), so every point
// is on exactly one layer, and points on an edge are on that edge's layer.
//
// Cost: O(n log² n) time in the worst case, O(n) memory. A removed point touches at most log n
// nodes, and the search for a new bridge takes at most 2 log n turns; in practice most bridges
// survive a layer and the time grows like n log n.

/// The convex layers ("onion") of a set of plane points.
public enum ConvexLayers {
  /// Returns all layers, outermost first; an empty list for no points.
  ///
  /// Equal points are collapsed to one before peeling: a layer is a shape, and has no weights.
  /// Points that are not finite are left out. Every other distinct point is on exactly one layer,
  /// including those that lie on an edge of its hull. A layer starts at its westernmost point (the
  /// southernmost of several) and runs counter-clockwise; a layer whose points lie on one line runs
  /// along it. The order of `points` makes no difference.
  public static func peel(_ points: [PlanePoint]) -> [[PlanePoint]] {
    let sorted = sortedDistinct(points)
    let count = Int32(sorted.count)
    // Half a turn of the plane makes the lower hull an upper one, and keeps every orientation.
    var upperTree = HullTree(sorted: sorted)
    var lowerTree = HullTree(
      sorted: sorted.reversed().map {
        PlanePoint(eastMetres: -$0.eastMetres, northMetres: -$0.northMetres)
      })

    var layers: [[PlanePoint]] = []
    var upper: [Int32] = []
    var lower: [Int32] = []
    var members: [Int32] = []
    while !upperTree.isEmpty {
      upper.removeAll(keepingCapacity: true)
      lower.removeAll(keepingCapacity: true)
      members.removeAll(keepingCapacity: true)
      upperTree.appendHull(to: &upper)
      lowerTree.appendHull(to: &lower)
      for index in lower.indices { lower[index] = count - 1 - lower[index] }
      lower.reverse()

      // Both chains run from the westernmost to the easternmost point. If they share more than
      // these two, all points lie on one line and the chains are the same.
      let isFlat = lower == upper
      var layer: [PlanePoint] = []
      layer.reserveCapacity(isFlat ? lower.count : lower.count + upper.count - 2)
      for index in lower { layer.append(sorted[Int(index)]) }
      if !isFlat {
        for index in upper.dropFirst().dropLast().reversed() { layer.append(sorted[Int(index)]) }
      }
      layers.append(layer)

      mergeAscending(upper, lower, into: &members)
      upperTree.remove(members)
      for index in members.indices { members[index] = count - 1 - members[index] }
      members.reverse()
      lowerTree.remove(members)
    }
    return layers
  }

  /// Returns the finite points in lexicographic order (east, then north), each once.
  static func sortedDistinct(_ points: [PlanePoint]) -> [PlanePoint] {
    var sorted = points.filter { $0.eastMetres.isFinite && $0.northMetres.isFinite }
    sorted.sort {
      $0.eastMetres < $1.eastMetres
        || ($0.eastMetres == $1.eastMetres && $0.northMetres < $1.northMetres)
    }
    var kept = 0
    for point in sorted where kept == 0 || sorted[kept - 1] != point {
      sorted[kept] = point
      kept += 1
    }
    sorted.removeLast(sorted.count - kept)
    return sorted
  }

  /// Appends the union of two ascending lists to `merged`.
  private static func mergeAscending(_ a: [Int32], _ b: [Int32], into merged: inout [Int32]) {
    var (i, j) = (0, 0)
    while i < a.count || j < b.count {
      if j == b.count || (i < a.count && a[i] < b[j]) {
        merged.append(a[i])
        i += 1
      } else {
        if i < a.count, a[i] == b[j] { i += 1 }
        merged.append(b[j])
        j += 1
      }
    }
  }
}
