import Foundation
import Geodesy
import Inspection
import Office
import TimeAndText
import Web

/// The entries of the form that changes a photo point, as the person wrote them.
struct PhotoPointEntries {
  /// The name; empty for none.
  var name: String
  /// The identifier of the parcel; empty for none.
  var parcel: String
  /// The latitude of the thing that is photographed, degrees; empty if nobody knows it.
  var latitude: String
  /// The longitude of the thing that is photographed, degrees; empty if nobody knows it.
  var longitude: String

  /// Creates the entries of a form.
  init(_ form: WebForm) {
    name = form["name"] ?? ""
    parcel = form["parcel"] ?? ""
    latitude = form["latitude"] ?? ""
    longitude = form["longitude"] ?? ""
  }

  /// Creates the entries of a point as it is.
  init(of point: PhotoPoint) {
    name = point.name ?? ""
    parcel = point.parcel ?? ""
    latitude = point.subject.map { "\($0.latitudeDegrees)" } ?? ""
    longitude = point.subject.map { "\($0.longitudeDegrees)" } ?? ""
  }

  /// Returns the place of the thing that is photographed; nil if both fields are empty.
  /// - Throws: `OfficeRefusal` (input-invalid) if the fields are no place.
  func subject() throws(OfficeRefusal) -> Coordinate? {
    guard !latitude.isEmpty || !longitude.isEmpty else { return nil }
    guard let north = DecimalText.typed(latitude), let east = DecimalText.typed(longitude),
      let place = Coordinate(latitudeDegrees: north, longitudeDegrees: east)
    else {
      throw OfficeRefusal(
        .inputInvalid,
        "give latitude (-90 to 90) and longitude (-180 to 180) of the thing in degrees, such as"
          + " 49.0837 and 16.6386, or leave both empty")
    }
    return place
  }
}
