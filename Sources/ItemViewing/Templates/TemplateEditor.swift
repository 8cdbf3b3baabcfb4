import Inspection
import TimeAndText
import Web

/// The page part on which a template is built: its items, the fields of one of them, and what the inspector
/// will see. It needs no script: what is not kept yet travels in the forms.
package struct TemplateEditor: Sendable {
  let t: Texts
  /// The type of tasks.
  let type: String
  /// The title and the items so far.
  let template: TemplateDraft
  /// True if something differs from the kept version.
  let isChanged: Bool
  /// The items as text, for the forms' hidden field.
  let draft: String
  /// The hidden field that shows that a form is ours.
  let formField: HTML
  /// The place of the example pictures.
  let examples: ItemParts.Examples

  /// Creates the part.
  package init(
    t: Texts, type: String, template: TemplateDraft, isChanged: Bool, draft: String,
    formField: HTML,
    examples: ItemParts.Examples
  ) {
    (self.t, self.type, self.template) = (t, type, template)
    (self.isChanged, self.draft, self.formField) = (isChanged, draft, formField)
    self.examples = examples
  }

  private var title: String? { template.title }
  private var items: OrderItems { template.items }
  private var version: Int { template.version }

  /// The place at which an item's fields are open.
  package enum Place: Hashable, Sendable {
    /// At the item of this number, from 0.
    case at(Int)
    /// Below all items.
    case new
  }

  /// Returns the part.
  /// - Parameters:
  ///   - form: the open fields with their place; nil for none.
  ///   - fault: the words about a refusal; nil for none.
  package func html(open form: (fields: ItemForm, place: Place)?, fault: String?) -> HTML {
    let chosen: ItemName? =
      if case .at(let number)? = form?.place, items.items.indices.contains(number) {
        items.items[number].name
      } else {
        nil
      }
    let refusal: HTML? = fault.map { "<p class=\"notice notice-error\" role=\"alert\">\($0)</p>" }
    return """
      \(refusal)<div class="split template-editor"><div>
      \(form.map { fields($0.fields, $0.place) })\(list(chosen, hasButtons: form == nil))
      \(form == nil ? below : nil)</div>
      <section class="preview"><h2>\(t("As the inspector sees it"))</h2>\(preview(chosen))</section></div>
      """
  }

  private var base: HTML {
    """
    \(formField)<input type="hidden" name="type" value="\(type)"><input type="hidden" name="items" value="\(draft)">\
    <input type="hidden" name="version" value="\(String(version))">
    """
  }

  private var hidden: HTML {
    """
    \(base)<input type="hidden" name="title" value="\(title ?? "")">
    """
  }

  /// - Parameter hasButtons: false while the fields of an item are open: what stands in them would be lost.
  private func list(_ chosen: ItemName?, hasButtons: Bool) -> HTML {
    guard !items.items.isEmpty else {
      return "<p class=\"empty\">\(t("There are no items yet. Add the first one below."))</p>"
    }
    let rows = items.items.enumerated().map { index, item -> HTML in
      let condition: HTML? =
        item.condition == nil ? nil : " <span class=\"muted\">· \(t("on a condition"))</span>"
      let required: HTML? =
        item.isRequired || item.content == .words
        ? nil : " <span class=\"muted\">· \(t("optional"))</span>"
      return """
        <li\(raw: item.name == chosen ? " aria-current=\"true\"" : "")><div>\(ItemParts(t: t).words(of: item))<br>\(ItemParts(t: t).example(of: item, examples))<code>\(item.name.description)</code>\(required)\(condition)</div>
        \(hasButtons ? buttons(index, item) : nil)</li>
        """
    }
    return """
      <form method="post" action="/templates/edit">\(hidden)<ol class="template-items">\(rows)</ol></form>
      """
  }

  /// Returns the buttons of one item of the list.
  private func buttons(_ index: Int, _ item: OrderItem) -> HTML {
    let number = String(index)
    func button(_ action: String, _ sign: String, _ words: String) -> HTML {
      """
      <button class="button quiet" name="do" value="\(action):\(number)" aria-label="\(words)" title="\(words)">\(sign)</button>
      """
    }
    return """
      <div class="actions"><button class="button" name="do" value="edit:\(number)">\(t("Change"))</button>\
      \(index > 0 ? button("up", "↑", t("Move up: {1}", item.wording)) : nil)\
      \(index < items.items.count - 1 ? button("down", "↓", t("Move down: {1}", item.wording)) : nil)\
      \(button("drop", "✕", t("Take out: {1}", item.wording)))</div>
      """
  }

  /// The form below the list: a new item, the title, and the way to keep it all.
  private var below: HTML {
    let kinds = ItemKind.allCases.map {
      "<option value=\"\($0.rawValue)\">\($0.title(t))</option>" as HTML
    }
    let words =
      version == 0
      ? t("Nothing is kept yet.")
      : t("Version {1} is kept. Orders that were made with it stay as they are.", version)
    return """
      <form class="fields card" method="post" action="/templates/edit" id="add">\(base)
      <div class="filter"><label>\(t("New item"))<select name="kind">\(kinds)</select></label>
      <button class="button" name="do" value="add">\(t("Add"))</button></div>
      <label>\(t("Title"))<input name="title" value="\(title ?? "")" maxlength="200"></label>
      <p class="muted">\(words)</p>
      \(isChanged ? "<p class=\"notice notice-note\">\(t("You have changes that are not kept yet."))</p>" as HTML : nil)
      <p class="actions"><button class="button primary" name="do" value="keep"\(raw: items.items.isEmpty ? " disabled" : "")>\(t("Keep as a new version"))</button>
      <a class="button quiet" href="/templates">\(t("Back to the templates"))</a></p></form>
      """
  }

  private func preview(_ chosen: ItemName?) -> HTML {
    guard !items.items.isEmpty else { return "<p class=\"muted\">\(t("Nothing yet."))</p>" }
    let checklist = ItemChecklist(
      t: t, order: items, answers: [:], restsOn: [:],
      standing: ItemStanding(of: items, GivenItems()), photos: [], task: .preview, taken: [:],
      verdicts: [], changed: [], formField: "", examples: examples)
    return "<div class=\"phone-preview\" inert>\(checklist.card(chosen: chosen))</div>"
  }
}

extension Identifier {
  /// The task of a preview, which there is none of.
  fileprivate static let preview = Identifier(at: DeviceTime(millisecondsSince1970: 0))
}

// The fields of one item.
extension TemplateEditor {
  private func fields(_ form: ItemForm, _ place: Place) -> HTML {
    let number: String
    let above: [OrderItem]
    let words: String
    switch place {
    case .at(let index):
      (number, above) = (String(index), Array(items.items.prefix(index)))
      words = t("Item {1}", index + 1)
    case .new: (number, above, words) = ("new", items.items, t("New item"))
    }
    return """
      <form class="fields card" method="post" action="/templates/edit" id="item"\(raw: form.takesExample ? " enctype=\"multipart/form-data\"" : "")>\(hidden)
      <h2>\(words) · \(form.kind.title(t))</h2><input type="hidden" name="kind" value="\(form.kind.rawValue)"><input type="hidden" name="place" value="\(number)">
      \(area(form, "wording", t("Words that the inspector reads"), attributes: "required"))
      \(input(form, "name", t("Short name, for columns and conditions"), attributes: "required pattern=\"[A-Za-z_][A-Za-z0-9_.\\-]*\" maxlength=\"64\""))
      \(area(form, "hint", t("Hint (optional)")))
      \(form.kind == .words ? nil : box(form, "required", t("The task is not sent without it")))
      \(own(form))\(condition(form, above))
      <p class="actions"><button class="button primary" name="do" value="save">\(t("Take into the list"))</button>
      <button class="button quiet" name="do" value="show" formnovalidate>\(t("Cancel"))</button></p></form>
      """
  }

  private func input(
    _ form: ItemForm, _ name: String, _ label: String, attributes: String = ""
  ) -> HTML {
    """
    <label>\(label)<input name="\(name)" value="\(form.fields[name] ?? "")" \(raw: attributes)></label>
    """
  }

  /// Returns a field in which lines may end.
  private func area(
    _ form: ItemForm, _ name: String, _ label: String, attributes: String = ""
  ) -> HTML {
    // A browser drops the first line's end behind the tag.
    """
    <label>\(label)<textarea name="\(name)" rows="2" \(raw: attributes)>\n\(form.fields[name] ?? "")</textarea></label>
    """
  }

  private func box(_ form: ItemForm, _ name: String, _ label: String) -> HTML {
    """
    <label class="choice"><input type="checkbox" name="\(name)" value="yes"\(raw: form.fields[name] == nil ? "" : " checked")> \(label)</label>
    """
  }

  private func select(
    _ form: ItemForm, _ name: String, _ label: String, _ options: [(String, String)],
    none: String? = nil
  ) -> HTML {
    let all = (none.map { [("", $0)] } ?? []) + options
    let items = all.map { value, title in
      """
      <option value="\(value)"\(raw: value == form.fields[name] ?? "" ? " selected" : "")>\(title)</option>
      """ as HTML
    }
    return "<label>\(label)<select name=\"\(name)\">\(items)</select></label>"
  }

  /// Returns the fields that only items of this kind have.
  private func own(_ form: ItemForm) -> HTML? {
    switch form.kind {
    case .choice, .several:
      return """
        <label>\(t("Choices, one on each line. A short name and | may come first."))<textarea name="choices" rows="6" required placeholder="maize | \(t("Maize"))">\(form.fields["choices"] ?? "")</textarea></label>
        """
    case .number:
      return """
        \(input(form, "unit", t("Unit (optional)")))\(input(form, "least", t("Least (optional)"), attributes: "inputmode=\"decimal\""))\
        \(input(form, "most", t("Most (optional)"), attributes: "inputmode=\"decimal\""))\(box(form, "whole", t("Whole numbers only")))
        """
    case .shot:
      return shot(form)
    case .set:
      return """
        \(select(form, "set-kind", t("Kind"), [("around", t("Round a thing")), ("turn", t("Turn on the spot"))]))\
        \(input(form, "sectors", t("Pictures at least (optional)"), attributes: "inputmode=\"numeric\""))\(example(form))
        """
    case .track:
      return box(form, "round", t("Round the parcel"))
    case .yesOrNo, .text, .date, .note, .words:
      return nil
    }
  }

  private func shot(_ form: ItemForm) -> HTML {
    let decimal = "inputmode=\"decimal\""
    return """
      \(input(form, "least", t("Photos at least"), attributes: "inputmode=\"numeric\""))\(input(form, "most", t("Photos at most (optional)"), attributes: "inputmode=\"numeric\""))
      \(select(form, "distance", t("Distance"), [("near", t("from near")), ("far", t("from afar"))], none: t("any")))\
      \(select(form, "hold", t("Camera"), [("upright", t("upright")), ("across", t("across"))], none: t("any")))
      \(input(form, "bearing", t("Direction, degrees from north (optional)"), attributes: decimal))\(input(form, "tolerance", t("Tolerance, degrees (30)"), attributes: decimal))
      \(input(form, "latitude", t("Station, degrees north (optional)"), attributes: decimal))\(input(form, "longitude", t("Station, degrees east"), attributes: decimal))\
      \(input(form, "radius", t("Radius of the station, metres (20)"), attributes: decimal))
      \(input(form, "section", t("Or in a section of the parcel: its name"), attributes: "maxlength=\"200\""))\(input(form, "parcel", t("Or in one parcel of several: its identifier"), attributes: "maxlength=\"200\""))
      \(example(form))\(box(form, "scale", t("With a scale in the picture")))\(box(form, "strict", t("Refuse a photo that misses station or direction")))
      """
  }

  /// Returns the field for the picture or sketch that shows what is wanted.
  private func example(_ form: ItemForm) -> HTML {
    let known: HTML? = form.fields["example"].flatMap { digest in
      examples.address(digest).map { address in
        """
        <input type="hidden" name="example" value="\(digest)"><p><a class="item-example" href="\(address)"><img src="\(address)" alt="\(t("Example picture"))"></a></p>
        \(box(form, "no-example", t("Take the example picture away")))
        """
      }
    }
    return """
      \(known)<label>\(t("Example picture or sketch (JPEG, optional)"))<input type="file" name="picture" accept="image/jpeg"></label>
      """
  }

  private func condition(_ form: ItemForm, _ above: [OrderItem]) -> HTML? {
    if form.keptCondition != nil {
      return """
        <p class="muted">\(t("It is asked for on a condition of several comparisons."))</p>
        <label class="choice"><input type="checkbox" name="if-kept" value="yes" checked> \(t("Keep that condition"))</label>
        """
    }
    let questions = above.filter { $0.question != nil }
    guard !questions.isEmpty else { return nil }
    return """
      <fieldset><legend>\(t("Ask for it only if (optional)"))</legend>
      \(select(form, "if-item", t("Question"), questions.map { ($0.name.description, $0.wording) }, none: t("always")))
      \(select(form, "if-sign", t("Comparison"), [("is", t("is")), ("not", t("is not")), ("less", t("is less than")), ("more", t("is more than"))]))
      \(input(form, "if-value", t("Value")))
      <p class="hint">\(t("A choice's short name or wording, a number, yes or no, or a day such as 2026-05-31."))</p></fieldset>
      """
  }
}
