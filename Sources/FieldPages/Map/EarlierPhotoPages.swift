import FieldUnit
import Guide
import Inspection
import Store
import Sync
import TimeAndText
import Web

/// The earlier photos of the agency around the tasks, on the map and in its list.
struct EarlierPhotoPages: FieldPage {
  let server: FieldServer
  let help = GuidePart.fieldMap
  static let path = "/map/earlier.json"

  func add(to routes: inout Routes) {
    routes.get(Self.path) { request in
      try await reading(request) { reader in
        .json(try WireJSON.bytes(EarlierView(clusters: clusters(of: reader.unit.person))))
      }
    }
    routes.get("/map/earlier/{id}/small.jpg") { request in
      try await reading(request) { reader in
        guard let id = request.parameters["id"].flatMap(Identifier.init(_:)),
          let path = server.earlier.path(ofPhoto: id, of: reader.unit.person)
        else { throw WebProblem.notFound }
        return .bytes(try DurableFile.read(path), mediaType: "image/jpeg")
          .setting(header: "Cache-Control", to: "private, max-age=3600")
      }
    }
  }

  /// The clusters as the map's script reads them.
  private struct EarlierView: Encodable {
    struct Shown: Encodable {
      var id: String
      var at: [Double]
      var taken: String
      /// True if its small picture is on this device.
      var hasPicture: Bool
    }

    struct Cluster: Encodable {
      var at: [Double]
      var count: Int
      var photos: [Shown]
    }

    var clusters: [Cluster]
  }

  private func clusters(of person: Person) -> [EarlierView.Cluster] {
    server.earlier.clusters(of: person).map { cluster in
      EarlierView.Cluster(
        at: cluster.at, count: cluster.count,
        photos: cluster.photos.map { photo in
          let path = Identifier(photo.id).flatMap { server.earlier.path(ofPhoto: $0, of: person) }
          return EarlierView.Shown(
            id: photo.id, at: photo.at, taken: photo.taken, hasPicture: path != nil)
        })
    }
  }

  /// The place of the slider of years, which the map's script fills if there are several.
  var yearsPanel: HTML {
    """
    <div data-earlier-years hidden><p class="muted">\(t("Photos that your agency has taken around your tasks."))</p></div>
    """
  }

  /// Returns the earlier photos as a list, for people who cannot see a map; nil if none are here.
  func list(of person: Person, limit: Int) -> HTML? {
    let clusters = clusters(of: person)
    let photos = clusters.flatMap(\.photos)
    guard !photos.isEmpty else { return nil }
    let rows = photos.prefix(limit).map { photo -> HTML in
      let taken = DeviceTime(rfc3339: photo.taken).map { t.time($0) }
      let address = "/map/earlier/\(photo.id)/small.jpg"
      return photo.hasPicture
        ? "<li><a class=\"button quiet\" href=\"\(address)\">\(taken)</a></li>"
        : "<li>\(taken): \(t("Its picture has not come yet."))</li>"
    }
    let count = clusters.reduce(0) { $0 + $1.count }
    return """
      <h3>\(t("Earlier photos"))</h3><p class="muted">\(t("{1} of {2} that your agency has taken around your tasks.", rows.count, count))</p>
      <ul class="plain map-rows">\(rows)</ul>
      """
  }
}
