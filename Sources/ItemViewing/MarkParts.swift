import Inspection
import TimeAndText
import Web

/// The parts of the pages that show the marks on photos, and on which an officer draws them. Both
/// programs show them.
struct MarkParts: Sendable {
  /// The texts in the reader's language.
  let t: Texts

  /// Returns a photo with the mark over it.
  func figure(_ mark: PhotoMark, number: Int) -> HTML {
    let address = "/photos/\(mark.photo.description)"
    return """
      <figure class="marked"><a href="\(address)">\(picture(mark.photo, number: number, mark))</a>
      <figcaption>\(t("photo {1}, marked by the office", number))</figcaption></figure>
      """
  }

  /// Returns the fields with which an officer marks a photo of an item that is returned: the picture to
  /// draw on, and a choice of parts for people who draw nothing.
  /// - Parameters:
  ///   - form: the identifier of the decision's form.
  ///   - mark: the mark that is drawn already; nil for none.
  func drawing(
    _ photo: ItemChecklist.Photo, of item: ItemName, form: String, _ mark: PhotoMark?
  ) -> HTML {
    let id = photo.id.description
    let parts = zip(PhotoMark.ringTexts, partNames).map { ring, name in
      "<option value=\"\(id) \(ring)\">\(name)</option>" as HTML
    }
    return """
      <details class="mark-photo"\(mark == nil ? "" : " open" as HTML)><summary>\(t("Mark photo {1}", photo.number))</summary>
      <p class="hint">\(t("Draw on the picture. The photo itself stays as it is: the inspector sees your lines over a copy."))</p>
      <div class="marked is-drawn" data-mark data-lines="\(String(PhotoMark.linesAtMost))" data-places="\(String(PhotoMark.placesAtMost))" data-all="\(String(PhotoMark.placesOfDecisionAtMost))">\(picture(photo.id, number: photo.number, mark))</div>
      <input form="\(form)" type="hidden" name="mark-\(item.description)" value="\(id) \(mark?.linesText ?? "")">
      <label>\(t("Or put a ring round a part"))<select form="\(form)" name="mark-\(item.description)" data-mark-ring><option value="">\(t("no part"))</option>\(parts)</select></label>
      <p class="actions" hidden><button class="button" type="button" data-mark-back>\(t("Take back the last line"))</button></p></details>
      """
  }

  /// Returns the photo itself, which a browser turns upright on both sides alike, below the lines.
  private func picture(_ id: Identifier, number: Int, _ mark: PhotoMark?) -> HTML {
    let path = mark.map(Self.path) ?? ""
    return """
      <img loading="lazy" alt="\(t("Photo {1}", number))" src="/photos/\(id.description)/photo.jpg"><svg viewBox="0 0 1000 1000" preserveAspectRatio="none" aria-hidden="true"><path d="\(path)"></path><path d="\(path)"></path></svg>
      """
  }

  /// The lines as the path of an SVG, as the officer's script draws it.
  private static func path(_ mark: PhotoMark) -> String {
    mark.lines.map { line in
      let places = line.map { "\($0.across) \($0.down)" }
      return places.count == 1 ? "M\(places[0])h0" : "M" + places.joined(separator: "L")
    }.joined()
  }

  private var partNames: [String] {
    [
      t("top left"), t("top"), t("top right"), t("left"), t("middle"), t("right"), t("bottom left"),
      t("bottom"), t("bottom right"),
    ]
  }
}
