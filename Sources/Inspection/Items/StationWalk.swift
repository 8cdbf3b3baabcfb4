import Geodesy

/// The order in which the stations of an order are walked to.
public enum StationWalk {
  /// The most rounds in which a walk is made shorter; a few are enough for what a person walks.
  private static let roundsAtMost = 20
  /// A gain that is no walk, metres.
  private static let leastGainMetres = 0.01

  /// Returns the numbers of places in the order of a short walk: the nearest next, then each stretch
  /// turned round as long as that makes the walk shorter.
  /// - Parameter start: the place where the walk begins; nil begins at the first of the places.
  public static func order(from start: Coordinate?, _ places: [Coordinate]) -> [Int] {
    guard let origin = start ?? places.first else { return [] }
    let plane = LocalPlane(origin: origin)
    let points = places.map(plane.project)
    var walk: [Int] = []
    var left = Array(points.indices)
    var here = plane.project(origin)
    while let next = left.min(by: { metres(points[$0], here) < metres(points[$1], here) }) {
      walk.append(next)
      left.removeAll { $0 == next }
      here = points[next]
    }
    shorten(&walk, points, from: plane.project(origin))
    return walk
  }

  private static func shorten(_ walk: inout [Int], _ points: [PlanePoint], from start: PlanePoint) {
    for _ in 0..<roundsAtMost {
      var isShorter = false
      for first in walk.indices {
        for last in walk.indices.dropFirst(first + 1) {
          let before = first == 0 ? start : points[walk[first - 1]]
          let (one, other) = (points[walk[first]], points[walk[last]])
          var gain = metres(before, one) - metres(before, other)
          if last + 1 < walk.count {
            let after = points[walk[last + 1]]
            gain += metres(other, after) - metres(one, after)
          }
          if gain > leastGainMetres {
            walk[first...last].reverse()
            isShorter = true
          }
        }
      }
      if !isShorter { return }
    }
  }

  private static func metres(_ one: PlanePoint, _ other: PlanePoint) -> Double {
    let (east, north) = (one.eastMetres - other.eastMetres, one.northMetres - other.northMetres)
    return (east * east + north * north).squareRoot()
  }
}

extension OrderItems {
  /// The shots that can be taken now, in the order in which they are walked to: those with a station
  /// by the walk, the others behind them in the order's own.
  /// - Parameters:
  ///   - standing: the standing of the items.
  ///   - here: the present place of the inspector; nil if it is not known.
  public func shotsToTake(_ standing: ItemStanding, from here: Coordinate?) -> [OrderItem] {
    let open = Set(standing.states.filter { $0.state == .open }.map(\.name))
    let shots = items.filter { $0.takesPhotos && open.contains($0.name) }
    let stations = shots.compactMap { item in item.shot?.stationMiddle.map { (item, $0) } }
    let walk = StationWalk.order(from: here, stations.map(\.1)).map { stations[$0].0 }
    return walk + shots.filter { $0.shot?.stationMiddle == nil }
  }
}

extension WantedShot {
  /// The middle of its station; nil if it has none, or one of unknown land.
  public var stationMiddle: Coordinate? {
    if case .point(let middle, _) = station { return middle }
    return area.flatMap { Parcel(identifier: "", rings: $0.rings)?.middle }
  }

  /// The part of the Earth that its station is; nil if it has none, or one of unknown land.
  public var region: PolygonRegion? {
    guard case .point(let middle, let radius) = station else { return area }
    let ring = stride(from: 0.0, to: 360, by: 7.5).map {
      Geodesic.direct(from: middle, initialAzimuthDegrees: $0, distanceMetres: radius)
    }
    return PolygonRegion(rings: [ring])
  }
}
