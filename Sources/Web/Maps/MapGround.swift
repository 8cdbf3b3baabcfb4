/// What every map of ours is made of, whatever it shows: the ground with its base maps, and the small tools
/// that a script draws with. A side's own script begins with `script`, its style with `style`.
///
/// The element of a map has `data-words` (an object of texts), `data-layers` (what `BaseMaps.layers` says)
/// and the role of a region. The texts that are needed here: `none`, `noMap`, `zoomIn`, `zoomOut`,
/// `layers`.
public enum MapGround {
  /// The beginning of a map's script.
  public static let script = PackageResources.map_ground_js

  /// The beginning of a map's style.
  public static let style = PackageResources.map_ground_css
}
