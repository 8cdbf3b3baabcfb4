import Geodesy
import TimeAndText

/// A piece of land that an order names beside its parcel: a further parcel, or a section of one.
public struct OrderedPlace: Hashable, Sendable {
  /// The kinds of land.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// A parcel beside the first one.
    case parcel
    /// A part of a parcel.
    case section
  }

  /// The kind of land.
  public let kind: Kind
  /// The parcel's identifier, or the section's name: the word by which items call it.
  public let name: String
  /// The rings of the boundary, as those of a `Parcel`.
  public let rings: [[Coordinate]]

  /// Creates a piece of land.
  public init(_ kind: Kind, name: String, rings: [[Coordinate]]) {
    (self.kind, self.name, self.rings) = (kind, name, rings)
  }

  /// The part of the Earth; nil if the rings are none.
  public var region: PolygonRegion? { PolygonRegion(rings: rings) }

  /// The area on the ellipsoid, square metres.
  public var areaSquareMetres: Double { region?.areaSquareMetres ?? 0 }
}

/// The further parcels and the sections of an order, each of which has a name of its own.
public struct OrderedPlaces: Hashable, Sendable {
  /// The most pieces of land of one order.
  public static let placesAtMost = 50
  /// The most characters of a name.
  public static let nameCharactersAtMost = 200
  /// The most corners of one piece of land.
  public static let cornersAtMost = 5000
  /// The distance from its parcel at which a section still lies on it, metres: a hand draws no boundary
  /// exactly.
  public static let offParcelMetresAtMost = 5.0

  /// The pieces of land, in the order in which they were added.
  public let list: [OrderedPlace]

  /// No piece of land beside the parcel.
  public static let none = OrderedPlaces(unchecked: [])

  /// Creates a part of land that was checked.
  private init(unchecked list: [OrderedPlace]) { self.list = list }

  /// Creates the further land of an order.
  /// - Throws: `PlaceFault` with the first that cannot be.
  public init(_ list: [OrderedPlace]) throws(PlaceFault) {
    guard list.count <= Self.placesAtMost else { throw .tooMany }
    for (index, place) in list.enumerated() {
      guard !InspectionTask.isBlank(place.name),
        place.name.unicodeScalars.count <= Self.nameCharactersAtMost
      else { throw .name }
      guard place.rings.joined().count <= Self.cornersAtMost else { throw .corners(place.name) }
      guard place.region != nil else { throw .outline(place.name) }
      guard !list[..<index].contains(where: { $0.kind == place.kind && $0.name == place.name })
      else { throw .twice(place.name) }
    }
    self.list = list
  }

  /// Returns the land with one more piece.
  /// - Parameter parcel: the first parcel of the order; nil if it has none.
  /// - Throws: `PlaceFault`, also for a section that lies on no parcel of the order.
  public func adding(_ place: OrderedPlace, beside parcel: Parcel?) throws(PlaceFault) -> Self {
    let all = try OrderedPlaces(list + [place])
    switch place.kind {
    case .parcel:
      guard place.name != parcel?.identifier else { throw .twice(place.name) }
    case .section:
      let parcels =
        [parcel].compactMap { $0.flatMap { PolygonRegion(rings: $0.rings) } }
        + list.filter { $0.kind == .parcel }.compactMap(\.region)
      let isOnParcel = parcels.contains { land in
        place.rings.joined().allSatisfy {
          land.distanceMetres(to: $0) <= Self.offParcelMetresAtMost
        }
      }
      guard parcels.isEmpty || isOnParcel else { throw .offParcel(place.name) }
    }
    return all
  }

  /// Returns the land with the two sections into which a line divides a parcel.
  /// - Parameters:
  ///   - name: the name of both, to which their numbers are added.
  /// - Throws: `PlaceFault`.
  public func dividing(
    _ parcel: Parcel, by line: [Coordinate], named name: String
  ) throws(PlaceFault) -> Self {
    let halves: (left: [[Coordinate]], right: [[Coordinate]])
    do throws(PolygonSplit.Fault) {
      halves = try PolygonSplit.split(parcel.rings, by: line)
    } catch {
      throw .line(error)
    }
    // Both lie on the parcel: nothing is to be measured.
    return try OrderedPlaces(
      list + [
        OrderedPlace(.section, name: "\(name) 1", rings: halves.left),
        OrderedPlace(.section, name: "\(name) 2", rings: halves.right),
      ])
  }

  /// Returns the land without a piece of it.
  public func without(_ kind: OrderedPlace.Kind, _ name: String) -> Self {
    OrderedPlaces(unchecked: list.filter { $0.kind != kind || $0.name != name })
  }

  /// Returns the piece of land of a name; nil if there is none.
  public func place(_ kind: OrderedPlace.Kind, _ name: String) -> OrderedPlace? {
    list.first { $0.kind == kind && $0.name == name }
  }
}

/// The reason why an order cannot name a piece of land.
public enum PlaceFault: Error, Hashable, Sendable, Worded {
  /// The order would have more pieces of land than one can.
  case tooMany
  /// The name is missing or too long.
  case name
  /// The rings are no outline.
  case outline(String)
  /// The rings have too many corners.
  case corners(String)
  /// The order names it already.
  case twice(String)
  /// The section lies on no parcel of the order.
  case offParcel(String)
  /// The order has no such parcel.
  case noParcel
  /// The line divides the parcel not into two sections.
  case line(PolygonSplit.Fault)

  /// The words for people.
  public var wording: Wording {
    switch self {
    case .tooMany:
      "an order has at most \(OrderedPlaces.placesAtMost) sections and further parcels: remove one first"
    case .name:
      "give a section a name of at most \(OrderedPlaces.nameCharactersAtMost) characters"
    case .outline(let name):
      "“\(name)” has no outline: draw at least 3 corners"
    case .corners(let name):
      "“\(name)” has more than \(OrderedPlaces.cornersAtMost) corners: draw it with fewer"
    case .twice(let name):
      "this order has “\(name)” already: choose another name, or remove that one first"
    case .noParcel: "the order has no such parcel: open the page again"
    case .line(.noLine):
      "draw a line over the parcel: at least 2 corners, and at most \(PolygonSplit.placesAtMost)"
    case .line(.crossings(let count)):
      "the line meets the boundary of the parcel in \(count) places and does not divide it: begin it outside, cross the parcel once, and end it outside"
    case .line(.severalParts):
      "the parcel has several parts: draw its sections one by one"
    case .line(.hole):
      "the line meets a hole of the parcel: draw the sections one by one"
    case .line(.selfCrossing):
      "the line crosses itself: draw it again"
    case .offParcel(let name):
      "“\(name)” does not lie on a parcel of this order: keep its corners within the parcel"
    }
  }
}

extension InspectionTask {
  /// Adds a piece of land to the order. A parcel becomes its first one if it has none.
  /// - Throws: `PlaceFault`.
  public mutating func add(_ place: OrderedPlace) throws(PlaceFault) {
    let parcel =
      place.kind == .parcel && parcel == nil
      ? Parcel(identifier: place.name, rings: place.rings) : nil
    if let parcel {
      self.parcel = parcel
    } else {
      places = try places.adding(place, beside: self.parcel)
    }
  }

  /// Divides a parcel of the order into two sections.
  /// - Parameters:
  ///   - identifier: the parcel; nil for the first one.
  ///   - name: the name of both, to which their numbers are added.
  /// - Throws: `PlaceFault`.
  public mutating func divide(
    parcel identifier: String?, by line: [Coordinate], named name: String
  ) throws(PlaceFault) {
    let wanted = identifier.map { name in parcels.first { $0.identifier == name } } ?? parcels.first
    guard let wanted else { throw .noParcel }
    places = try places.dividing(wanted, by: line, named: name)
  }

  /// The parcels of the order: its first one, and the further ones.
  public var parcels: [Parcel] {
    [parcel].compactMap(\.self)
      + places.list.filter { $0.kind == .parcel }.compactMap {
        Parcel(identifier: $0.name, rings: $0.rings)
      }
  }

  /// Returns the parcel of the order that is nearest to a place; the first one if the place is not
  /// known, and nil if the order names none.
  public func parcel(nearestTo place: Coordinate?) -> Parcel? {
    guard let place, !places.list.isEmpty else { return parcel ?? parcels.first }
    return parcels.min {
      $0.distanceMetres(to: place) ?? .infinity < $1.distanceMetres(to: place) ?? .infinity
    }
  }

  /// Returns the land of a station; nil for a point, for land that the order does not name, and for the
  /// parcel of an order of one, where all is in it.
  func land(of station: WantedShot.Station?) -> PolygonRegion? {
    switch station {
    case .section(let name): places.place(.section, name)?.region
    case .parcel(let identifier) where places != .none:
      parcels.first { $0.identifier == identifier }.flatMap { PolygonRegion(rings: $0.rings) }
    case .parcel, .point, nil: nil
    }
  }
}

extension OrderedItems {
  /// Returns the items with the land of their stations, as a task's order has it.
  public func located(in task: InspectionTask) -> OrderedItems {
    OrderedItems(type: type, version: version, items: items.located(in: task))
  }
}

extension OrderItems {
  /// Returns the stations of shots whose land a task's order does not name, each once, in the order of
  /// the items.
  public func unknownStations(in task: InspectionTask) -> [WantedShot.Station] {
    items.compactMap(\.shot?.station).reduce(into: []) { unknown, station in
      let isNamed =
        switch station {
        case .section(let name): task.places.place(.section, name) != nil
        case .parcel(let identifier): task.parcels.contains { $0.identifier == identifier }
        case .point: true
        }
      if !isNamed, !unknown.contains(station) { unknown.append(station) }
    }
  }
}
