import Imagery
import Web

/// The page on which one photo is laid over another one. Both programs show it. With a script the
/// picture is moved by fingers, mouse and keys; without one, numbers and a preview do the same.
public struct ComposeView: Sendable {
  /// A photo as the page shows it.
  public struct Picture: Sendable {
    /// The words that name it, with its date.
    public var caption: String
    /// The address of a picture of about a screen's size, upright.
    public var address: String
    /// The size of the photo itself, upright, pixels.
    public var width: Int
    /// The height, pixels.
    public var height: Int

    /// Creates a picture.
    public init(caption: String, address: String, width: Int, height: Int) {
      (self.caption, self.address, self.width, self.height) = (caption, address, width, height)
    }
  }

  /// The script of the page.
  public static let script = Asset(file: "/assets/compose.js", [PackageResources.compose_js])
  /// The style of the page.
  public static let style = Asset(file: "/assets/compose.css", [PackageResources.compose_css])
  /// The path of the page.
  public static let path = "/compose"

  let below: Picture
  let above: Picture
  let entries: CompositeEntries
  let t: Texts

  /// Creates the page's middle.
  public init(below: Picture, above: Picture, _ entries: CompositeEntries, _ t: Texts) {
    (self.below, self.above, self.entries, self.t) = (below, above, entries, t)
  }

  /// Adds the script and the style.
  public static func add(to routes: inout Routes) {
    for asset in [script, style] {
      routes.get(asset.path) { request in asset.response(to: request) }
    }
  }

  /// Returns the form with its picture.
  /// - Parameter formField: the hidden field that a form of this reader needs.
  public func html(formField: HTML) -> HTML {
    """
    <form class="compose" method="post" action="\(Self.path)" data-compose data-below="\(below.address)" data-above="\(above.address)" \
    data-base="\(below.width) \(below.height)" data-upper="\(above.width) \(above.height)">\(formField)\(hidden)
    <div class="compose-stage"><img class="compose-preview" src="\(Self.path)/preview.jpg?\(entries.query)" alt="\(t("Preview of the composite"))" data-compose-preview>
    <canvas class="compose-canvas" tabindex="0" role="application" aria-label="\(t("The composite. Arrow keys move, plus and minus scale, comma and full stop turn."))" data-compose-canvas hidden></canvas></div>
    <p class="compose-mark">\(t("“Composite, not a photograph” is drawn round the picture, with both dates."))</p>
    \(tools)<div class="compose-fields">\(looks)\(details)</div>
    <p class="actions"><button class="button primary">\(entries.changed == nil ? t("Make the composite") : t("Save the change"))</button>
    <button class="button" formmethod="get" formaction="\(Self.path)" data-compose-show>\(t("Show the preview"))</button>
    <button class="button" formmethod="get" formaction="\(Self.path)" name="match" value="yes">\(t("Place it by comparing both"))</button>
    <a class="button" href="\(swapped)" data-compose-swap>\(t("Swap the photos"))</a></p></form>
    """
  }

  private var hidden: HTML {
    """
    <button hidden></button><input type="hidden" name="old" value="\(entries.old)"><input type="hidden" name="new" value="\(entries.new)">\
    <input type="hidden" name="id" value="\(entries.changed ?? "")">\
    <input type="hidden" name="projection" value="\(entries.projection)">\
    <input type="hidden" name="swap" value="\(entries.isSwapped ? "yes" : "")">
    """
  }

  /// The address of the page with both photos exchanged, and with fresh numbers.
  private var swapped: String {
    var other = CompositeEntries { _ in nil }
    (other.old, other.new, other.isSwapped) = (entries.old, entries.new, !entries.isSwapped)
    (other.changed, other.shape) = (entries.changed, entries.shape)
    return "\(Self.path)?\(other.query)"
  }

  /// The buttons of the script: they show themselves when it runs.
  private var tools: HTML {
    func mode(_ name: String, _ words: String, _ key: String) -> HTML {
      """
      <button type="button" class="button quiet" data-mode="\(name)" data-key="\(key)" aria-pressed="\(name == "picture" ? "true" : "false")">\(words)</button>
      """
    }
    func step(_ name: String, _ sign: String, _ words: String) -> HTML {
      """
      <button type="button" class="button quiet" data-step="\(name)" aria-label="\(words)" title="\(words)">\(sign)</button>
      """
    }
    return """
      <div class="compose-tools" data-compose-tools hidden><div role="group" aria-label="\(t("Move"))">\
      \(mode("picture", t("Move the photo above"), "1"))\(mode("window", t("Move the window"), "2"))\(mode("crop", t("Crop the picture"), "3"))</div>
      <div role="group" aria-label="\(t("Change"))">\(step("smaller", "−", t("Smaller")))\(step("larger", "+", t("Larger")))\
      \(step("left", "↺", t("Turn to the left")))\(step("right", "↻", t("Turn to the right")))\
      <button type="button" class="button quiet" data-compose-undo data-key="z" disabled>\(t("Undo"))</button></div></div>
      """
  }

  private var looks: HTML {
    let shapes = CompositePlan.Shape.allCases.map { shape -> HTML in
      """
      <option value="\(shape.rawValue)"\(raw: shape == entries.shape ? " selected" : "")>\(shape == .ellipse ? t("Ellipse") : t("Rectangle"))</option>
      """
    }
    return """
      <label>\(t("Shape of the window"))<select name="shape">\(shapes)</select></label>
      \(slider(.softness, t("Softness of the edges, %")))\(slider(.transparency, t("Transparency, %")))
      """
  }

  private func slider(_ field: CompositeEntries.Field, _ words: String) -> HTML {
    """
    <label>\(words)<input type="range" min="0" max="100" step="1" name="\(field.rawValue)" value="\(entries.texts[field] ?? "0")"></label>
    """
  }

  private var details: HTML {
    let place: [(CompositeEntries.Field, String)] = [
      (.placeX, t("Centre, px from the left")), (.placeY, t("Centre, px from above")),
      (.placeScale, t("Scale")), (.placeAngle, t("Turn, ° clockwise")),
    ]
    let window: [(CompositeEntries.Field, String)] = [
      (.windowX, t("Centre, px from the left")), (.windowY, t("Centre, px from above")),
      (.windowWidth, t("Width, px")), (.windowHeight, t("Height, px")),
      (.windowAngle, t("Turn, ° clockwise")),
    ]
    let crop: [(CompositeEntries.Field, String)] = [
      (.cropX, t("Px from the left")), (.cropY, t("Px from above")), (.cropWidth, t("Width, px")),
      (.cropHeight, t("Height, px")),
    ]
    func group(_ title: String, _ fields: [(CompositeEntries.Field, String)]) -> HTML {
      let inputs = fields.map { field, words -> HTML in
        """
        <label>\(words)<input name="\(field.rawValue)" inputmode="decimal" maxlength="20" value="\(entries.texts[field] ?? "")"></label>
        """
      }
      return "<fieldset><legend>\(title)</legend>\(inputs)</fieldset>"
    }
    return """
      <details class="compose-numbers"><summary>\(t("Numbers"))</summary>
      <p class="hint">\(t("Pixels are those of the photo below: {1} × {2}.", below.width, below.height))</p>
      \(group(t("Place of the photo above"), place))\(group(t("Window"), window))\(group(t("Crop (empty: all of it)"), crop))</details>
      """
  }
}
