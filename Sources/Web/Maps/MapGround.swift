/// The parts that all maps share: the ground with its base maps, and the small tools that a script
/// draws with. The map scripts of field unit and office begin with `script`, their map styles with
/// `style`.
///
/// The element of a map has `data-words` (an object of texts), `data-layers` (the value of
/// `BaseMaps.layers`) and the role of a region. The texts that are needed here: `none`, `noMap`,
/// `zoomIn`, `zoomOut`, `layers`.
public enum MapGround {
  /// The beginning of a map's script.
  public static let script = PackageResources.local_moment_js + PackageResources.map_ground_js

  /// The beginning of a map's style.
  public static let style = PackageResources.map_ground_css
}
