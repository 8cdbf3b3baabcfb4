import Foundation

/// The map on which a person sets the pin of the thing that a photo shows, or which shows where that
/// pin is. Its page loads `Leaflet.scripts` and `script`, and the style of a map.
public struct SubjectMap: Sendable {
  /// A place on the map, degrees.
  public struct Place: Sendable {
    let latitudeDegrees: Double
    let longitudeDegrees: Double

    /// Creates a place.
    public init(latitudeDegrees: Double, longitudeDegrees: Double) {
      (self.latitudeDegrees, self.longitudeDegrees) = (latitudeDegrees, longitudeDegrees)
    }

    /// The place as the script reads it, longitude first.
    fileprivate var json: String { "[\(longitudeDegrees),\(latitudeDegrees)]" }
  }

  /// The script of the map.
  public static let script = Asset(
    file: "/assets/subject-pin.js", [MapGround.script, PackageResources.subject_pin_js])

  /// The base maps, as `data-layers` of a map has them.
  public var layers: [[String: String]]
  /// The place from which the photo was taken.
  public var camera: Place
  /// The direction of the lens, degrees from true north; nil if unknown.
  public var azimuthDegrees: Double?
  /// The angle that the photo shows from left to right, degrees.
  public var viewDegrees: Double
  /// The pin on a map that only shows it; nil if the map sets the form's fields `latitude` and
  /// `longitude`.
  public var fixed: Place?

  /// Creates a map that sets the fields of its form.
  public init(
    layers: [[String: String]], camera: Place, azimuthDegrees: Double?, viewDegrees: Double
  ) {
    self.layers = layers
    self.camera = camera
    self.azimuthDegrees = azimuthDegrees
    self.viewDegrees = viewDegrees
  }

  /// Returns the map, which shows itself when its script runs, with the hint what to do on it.
  public func html(_ t: Texts) -> HTML {
    let data: [(String, String)] = [
      ("layers", Self.json(layers)), ("words", Self.json(words(t))), ("place", camera.json),
      ("azimuth", azimuthDegrees.map { "\($0)" } ?? ""), ("view", "\(viewDegrees)"),
    ]
    let attributes = (data + (fixed.map { [("fixed", $0.json)] } ?? [])).map {
      name, value -> HTML in
      " data-\(name)=\"\(value)\""
    }
    let hint: HTML? =
      fixed == nil
      ? """
      <p class="hint" data-subject-hint hidden>\(t("Tap or click the map at what the photo shows. You can drag the pin."))</p>
      """ : nil
    return """
      <div class="live-map subject-map" data-subject-map\(attributes) role="region" aria-label="\(t("Where it is"))" hidden></div>\(hint)
      """
  }

  private static func json(_ value: some Encodable) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "[]"
  }

  private func words(_ t: Texts) -> [String: String] {
    [
      "base": t("Base map"), "noBase": t("No base map here."),
      "noTiles": t(
        "{1} shows nothing here: this may be outside it, or it cannot be loaded.", "{1}"),
      "none": t("Without a base map"), "zoomIn": t("Zoom in"), "zoomOut": t("Zoom out"),
      "layers": t("Map layers"), "pin": t("What the photo shows"),
      "you": t("Where the photo was taken"),
    ]
  }
}
