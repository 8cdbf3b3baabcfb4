/// Two pictures side by side or over each other, zoomed and moved together. Without a script they
/// stand side by side.
public struct PicturePair {
  /// One of the pictures.
  public struct Side {
    /// The words below the picture.
    public var caption: String
    /// The address of the picture as it is first shown.
    public var address: String
    /// The address of the picture with all its pixels, for zooming.
    public var whole: String

    /// Creates a side.
    public init(caption: String, address: String, whole: String) {
      (self.caption, self.address, self.whole) = (caption, address, whole)
    }
  }

  /// The script of the pages that show a pair.
  public static let script = Asset(file: "/assets/compare.js", [PackageResources.compare_js])
  /// The style of the pages that show a pair.
  public static let style = Asset(file: "/assets/compare.css", [PackageResources.compare_css])

  /// Adds the script and the style.
  public static func add(to routes: inout Routes) {
    for asset in [script, style] {
      routes.get(asset.path) { request in asset.response(to: request) }
    }
  }

  /// Returns the pair.
  /// - Parameters:
  ///   - sides: the two pictures, the earlier one first.
  ///   - title: the name of the pair.
  ///   - share: the name of the slider that fades the later picture in.
  public static func html(_ sides: [Side], title: String, share: String, _ t: Texts) -> HTML {
    let figures = sides.map { side -> HTML in
      """
      <figure><div class="pair-frame" tabindex="0" role="group" aria-label="\(side.caption)"><img src="\(side.address)" data-whole="\(side.whole)" alt="\(side.caption)"></div>
      <figcaption>\(side.caption)</figcaption></figure>
      """
    }
    func mode(_ name: String, _ words: String, _ key: String, isFirst: Bool = false) -> HTML {
      """
      <button type="button" class="button quiet" data-mode="\(name)" data-key="\(key)" aria-pressed="\(isFirst ? "true" : "false")">\(words)</button>
      """
    }
    return """
      <section class="pair" data-pair data-shown="side" aria-label="\(title)">
      <div class="pair-tools" data-pair-tools hidden>\(mode("side", t("Side by side"), "1", isFirst: true))\
      \(mode("wipe", t("Wipe"), "2"))\(mode("over", t("One over the other"), "3"))
      <label data-pair-share hidden>\(share)<input type="range" min="0" max="100" value="50"></label>
      <label>\(t("Zoom"))<input type="range" min="1" max="8" step="0.5" value="1" data-pair-zoom></label></div>
      <div class="pair-pictures">\(figures)</div></section>
      """
  }
}
