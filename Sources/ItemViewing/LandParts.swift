import Inspection
import TimeAndText
import Web

/// The words of the pages about the further parcels and the sections of an order.
package struct LandParts: Sendable {
  let t: Texts

  /// Creates the words in a language.
  package init(t: Texts) { self.t = t }

  /// Returns the pieces of land with their areas; nil for none.
  package func words(_ places: OrderedPlaces) -> HTML? {
    guard !places.list.isEmpty else { return nil }
    return "<ul>\(places.list.map { "<li>\(words($0))</li>" as HTML })</ul>"
  }

  /// Returns a piece of land with its area.
  package func words(_ place: OrderedPlace) -> String {
    let area = t.decimal(place.areaSquareMetres, places: 0)
    return switch place.kind {
    case .parcel: t("parcel {1}, {2} m²", place.name, area)
    case .section: t("section {1}, {2} m²", place.name, area)
    }
  }

  /// Returns a station whose land the order does not name.
  package func words(_ station: WantedShot.Station) -> String? {
    switch station {
    case .section(let name): t("section {1}", name)
    case .parcel(let identifier): t("parcel {1}", identifier)
    case .point: nil
    }
  }
}
