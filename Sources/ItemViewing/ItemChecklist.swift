import Geodesy
import Inspection
import TimeAndText
import Web

/// The items of an order as the list that an inspector works through: the state of each item, and a
/// form for the one that comes next. It needs no script.
package struct ItemChecklist: Sendable {
  /// An answer that was refused, with the words that were written.
  package struct Fault: Sendable {
    let item: ItemName?
    let words: String
    let written: [String]
    let photos: [Identifier]

    /// Creates the fault of an answer.
    /// - Parameter item: the name of the item as the form gave it.
    package init(item: String, words: String, written: [String], photos: [Identifier]) {
      (self.item, self.words) = (ItemName(item), words)
      (self.written, self.photos) = (written, photos)
    }
  }

  /// A photo of the task on which an answer may rest.
  package struct Photo: Sendable {
    let photo: Inspection.Photo
    let number: Int
    var id: Identifier { photo.id }

    /// Creates a photo with its number in the task, from 1.
    package init(_ photo: Inspection.Photo, number: Int) {
      (self.photo, self.number) = (photo, number)
    }
  }

  /// The fields with which an officer chooses the items that are returned. They belong to the form of
  /// the decision, which stands elsewhere on the page.
  package struct Returning: Sendable {
    let form: String
    let reasons: [String]
    let chosen: ItemReturns

    /// Creates the fields.
    /// - Parameters:
    ///   - form: the identifier of the form.
    ///   - reasons: the agency's usual reasons.
    ///   - chosen: the items of a form that was refused, or of a return that was undone.
    package init(form: String, reasons: [String], chosen: ItemReturns) {
      (self.form, self.reasons, self.chosen) = (form, reasons, chosen)
    }
  }

  /// The texts in the reader's language.
  let t: Texts
  /// The items.
  let order: OrderItems
  /// The last word on each item.
  let answers: [ItemName: ItemAnswer]
  /// The photos on which each answer rests.
  let restsOn: [ItemName: [Identifier]]
  /// The standing of the items.
  let standing: ItemStanding
  /// The photos of the task.
  let photos: [Photo]
  /// The photos of each shot, those too that name no item and fill it.
  let taken: [ItemName: [Identifier]]
  /// The office's words on the items when it returned the task last.
  let verdicts: [ItemName: ItemVerdict]
  /// The accepted items for which something was given since.
  let changed: Set<ItemName>
  /// The task.
  let task: Identifier
  /// The hidden field that shows that a form is ours; nil if the task takes no answers any more.
  let formField: HTML?
  /// The fields of an officer who decides; nil if nothing is decided here.
  let returning: Returning?
  /// The place of the example pictures.
  let examples: ItemParts.Examples
  /// The parts that show the marks on photos.
  private let marks: MarkParts

  /// Creates the list.
  package init(
    t: Texts, order: OrderItems, answers: [ItemName: ItemAnswer],
    restsOn: [ItemName: [Identifier]], standing: ItemStanding, photos: [Photo], task: Identifier,
    taken: [ItemName: [Identifier]], verdicts: [ItemVerdict], changed: Set<ItemName>,
    formField: HTML?, returning: Returning? = nil, examples: ItemParts.Examples? = nil
  ) {
    self.examples = examples ?? ItemParts.Examples(folder: FileParts.folder(ofTask: task))

    (self.t, self.order, self.answers, self.restsOn) = (t, order, answers, restsOn)
    (self.standing, self.photos, self.task, self.formField) = (standing, photos, task, formField)
    (self.taken, self.returning, self.changed) = (taken, returning, changed)
    marks = MarkParts(t: t)
    self.verdicts = Dictionary(verdicts.map { ($0.item, $0) }) { $1 }
  }

  /// Returns the name of the item that comes after another one: the next open item below it, else
  /// the first open one; nil if none is open.
  package static func next(after name: ItemName?, _ standing: ItemStanding) -> ItemName? {
    let states = standing.states
    let place = states.firstIndex { $0.name == name }.map { $0 + 1 } ?? 0
    return (states[place...] + states[..<place]).first { $0.state == .open }?.name
  }

  /// Returns the list as a card.
  /// - Parameters:
  ///   - chosen: the item whose form is open; nil for the next open one.
  ///   - fault: the answer that was refused; nil for none.
  ///   - here: the present place of the inspector; nil if it is not known.
  package func card(
    chosen: ItemName?, fault: Fault? = nil, from here: Coordinate? = nil
  ) -> HTML {
    let open = fault?.item ?? chosen ?? Self.next(after: nil, standing)
    let (done, asked) = (standing.answered(of: order), standing.asked(of: order))
    let rows = zip(order.items, standing.states).map { item, entry in
      row(item, entry.state, isOpen: item.name == open, fault?.item == item.name ? fault : nil)
    }
    return """
      <section class="card checklist" id="items"><h2>\(t("What is asked for"))</h2>
      <p><strong>\(t("{1} of {2} done", done, asked))</strong></p>
      <progress max="\(String(max(1, asked)))" value="\(String(done))" aria-label="\(t("Progress"))"></progress>
      \(formField == nil ? nil : ShotParts(t: t).walk(order, standing, task: task, from: here))<ol>\(rows)</ol>\(usualReasons)</section>
      """
  }

  private func row(
    _ item: OrderItem, _ state: ItemStanding.State, isOpen: Bool, _ fault: Fault?
  ) -> HTML {
    // The choices of an open question stand in its form.
    let isForm = isOpen && formField != nil && item.question?.choices.isEmpty == false
    let parts = ItemParts(t: t)
    let words = parts.words(of: item, showsContent: !isForm)
    if item.content == .words { return "<li class=\"is-words\">\(words)</li>" }
    guard state != .notAsked else {
      return
        "<li class=\"is-not-asked muted\">\(item.wording)<br>\(t("not asked for after the answers above"))</li>"
    }
    let mark: HTML =
      switch state {
      case .done where isAccepted(item): acceptance(item)
      case .done: "<span class=\"verdict-intact\">\(t("done"))</span>"
      case .notPossible: "<span class=\"verdict-doubtful\">\(t("not possible"))</span>"
      default:
        "<span class=\"muted\">○ \(item.isRequired ? t("to do") : t("may be left out"))</span>"
      }
    let given: HTML? = answers[item.name].map { answer in
      switch answer {
      case .value(let value): "<p class=\"given\">\(parts.shown(value, of: item))</p>"
      case .notPossible(let reason): "<p class=\"given\">\(reason)</p>"
      }
    }
    let photos = taken[item.name]?.count ?? 0
    let count: HTML? =
      item.takesPhotos && state == .open && photos > 0
      ? " <span class=\"muted\">\(t("{1} of {2} photos", photos, item.shot?.least ?? 1))</span>"
      : nil
    return """
      <li id="item-\(item.name.description)">\(words) \(mark)\(count)\(parts.example(of: item, examples))\(verdict(item, state))\(given)\(evidence(item))\(returnMark(item))\(form(item, state, isOpen: isOpen, fault))</li>
      """
  }

  private var usualReasons: HTML? {
    returning.map { returning in
      let options = returning.reasons.map { "<option value=\"\($0)\"></option>" as HTML }
      return "<datalist id=\"item-reasons\">\(options)</datalist>"
    }
  }

  /// Returns the fields with which an officer returns an item; nil if nothing is decided here.
  private func returnMark(_ item: OrderItem) -> HTML? {
    returning.map { returning in
      let (name, reason) = (item.name.description, returning.chosen.reasons[item.name])
      let drawings = photos.filter { taken[item.name]?.contains($0.id) ?? false }.map { photo in
        marks.drawing(
          photo, of: item.name, form: returning.form,
          returning.chosen.marks.first { $0.photo == photo.id })
      }
      return """
        <div class="item-return"><label class="choice"><input form="\(returning.form)" type="checkbox" name="return" value="\(name)"\(reason == nil ? "" : " checked" as HTML)> \(t("Return this item"))</label>
        <input form="\(returning.form)" name="why-\(name)" list="item-reasons" value="\(reason)" maxlength="\(String(ItemVerdict.reasonCharactersAtMost))" placeholder="\(t("Reason"))" aria-label="\(t("Reason to return: {1}", item.wording))">\(drawings)</div>
        """
    }
  }

  private func isAccepted(_ item: OrderItem) -> Bool {
    verdicts[item.name].map { $0.returned == nil } ?? false
  }

  private func acceptance(_ item: OrderItem) -> HTML {
    changed.contains(item.name)
      ? "<span class=\"verdict-doubtful\">\(t("changed since it was accepted"))</span>"
      : "<span class=\"verdict-intact\">\(t("accepted by the office"))</span>"
  }

  /// Returns the office's word on an item; nil for none.
  private func verdict(_ item: OrderItem, _ state: ItemStanding.State) -> HTML? {
    guard let verdict = verdicts[item.name] else { return nil }
    guard let reason = verdict.returned else {
      // One that is open here was done on another device, or the order has changed.
      return state == .notPossible ? " \(acceptance(item))" : nil
    }
    let judged = photos.filter { verdict.judged.contains($0.id) }.map {
      " <a href=\"/photos/\($0.id.description)\">\(t("photo {1}", $0.number))</a>" as HTML
    }
    let marked = verdict.marks.compactMap { mark in
      photos.first { $0.id == mark.photo }.map { marks.figure(mark, number: $0.number) }
    }
    // Behind a new answer the reason is history.
    return state == .open
      ? "<p class=\"notice notice-warning\"><strong>\(t("Returned"))</strong>: \(reason)\(judged)</p>\(marked)"
      : "<p class=\"muted\">\(t("It was returned: {1}", reason))</p>"
  }

  /// Returns links to the photos that were taken for an item, or on which its answer rests; nil for
  /// none.
  private func evidence(_ item: OrderItem) -> HTML? {
    // The photos of a returned item are named beside the reason.
    let gone = verdicts[item.name].map { $0.returned == nil ? [] : $0.judged } ?? []
    let ids = (restsOn[item.name] ?? taken[item.name] ?? []).filter { !gone.contains($0) }
    guard !ids.isEmpty else { return nil }
    let links = ids.map { id -> HTML in
      let photo = photos.first { $0.id == id }
      let number = photo.map { t("photo {1}", $0.number) }
      let misses = item.shot.flatMap { shot in
        photo.flatMap { ShotParts(t: t).misses($0.photo, of: shot) }
      }
      return " <a href=\"/photos/\(id.description)\">\(number ?? t("photo"))</a>\(misses)"
    }
    return "<p class=\"muted\">\(t("Shown by"))\(links)</p>"
  }

  // MARK: forms

  private func form(
    _ item: OrderItem, _ state: ItemStanding.State, isOpen: Bool, _ fault: Fault?
  ) -> HTML? {
    // The office has accepted it: nothing of it is changed any more.
    if isAccepted(item), state != .open { return nil }
    guard let formField else { return nil }
    // A page with the forms of 200 items takes a second to lay out: only one is open.
    guard isOpen else {
      let here = "/tasks/\(task)?item=\(item.name.description)#item-\(item.name.description)"
      return
        "<p class=\"actions\"><a class=\"button\" href=\"\(here)\">\(label(item, state))</a></p>"
    }
    let action = "/tasks/\(task)/items/\(item.name.description)"
    let problem: HTML? = fault.map {
      "<p class=\"notice notice-error\" role=\"alert\">\($0.words)</p>"
    }
    let answer: HTML? = fields(item, fault?.written).map { fields in
      """
      <form class="fields" method="post" action="\(action)">\(formField)\(fields)\(rests(item, fault?.photos))
      <p class="actions"><button class="button primary">\(t("Save and go on"))</button></p></form>
      """
    }
    let reason: String? =
      if case .notPossible(let words) = answers[item.name] { words } else { nil }
    return """
      <div class="open-item">\(problem)\(answer ?? taking(item))
      <details><summary>\(t("Not possible"))</summary><form class="fields" method="post" action="\(action)">\(formField)
      <label>\(t("Reason"))<input name="reason" value="\(reason ?? "")" maxlength="\(String(Question.charactersAtMost))" required></label>
      <p class="actions"><button class="button">\(t("Not possible, for this reason"))</button></p></form></details></div>
      """
  }

  private func label(_ item: OrderItem, _ state: ItemStanding.State) -> String {
    switch (item.content, state) {
    case (.shot, _): t("Take the photos")
    case (.track, _): t("Record the track")
    case (_, .open): t("Answer")
    default: t("Change the answer")
    }
  }

  /// Returns the way to what an item without words asks for.
  private func taking(_ item: OrderItem) -> HTML? {
    let id = task.description
    switch item.content {
    case .shot(let shot) where shot.set != nil:
      return
        "<p class=\"actions\"><a class=\"button primary\" href=\"/sets/new?task=\(id)\">\(t("New set of pictures"))</a></p>"
    case .shot:
      return
        "<p class=\"actions\"><a class=\"button primary\" href=\"\(ShotParts.camera(task, item.name))\">\(t("Take a photo"))</a></p>"
    case .track:
      return
        "<p class=\"actions\"><a class=\"button primary\" href=\"/tracks\">\(t("Tracks"))</a></p>"
    case .question, .note, .words: return nil
    }
  }

  /// Returns the fields of an answer; nil for an item without one.
  /// - Parameter written: the words of an answer that was refused; nil shows the last word.
  private func fields(_ item: OrderItem, _ written: [String]?) -> HTML? {
    let form: Question.Form
    switch item.content {
    case .question(let question): form = question.form
    case .note: form = .text
    case .shot, .track, .words: return nil
    }
    let value: AnswerValue? =
      if case .value(let value) = answers[item.name] { value } else { nil }
    let name = item.wording
    // The page of a refused answer begins at its top: the focus brings the field into view.
    let focus: HTML = written == nil ? "" : " autofocus"
    switch form {
    case .choice(let choices), .several(let choices):
      var kind = "radio"
      if case .several = form { kind = "checkbox" }
      return group(
        kind, name, choices.map { ($0.name.description, $0.wording) },
        chosen: written ?? value.map(names) ?? [], focus)
    case .yesOrNo:
      var chosen: [String] = []
      if case .yes(let isYes) = value { chosen = [isYes ? "yes" : "no"] }
      return group(
        "radio", name, [("yes", t("yes")), ("no", t("no"))], chosen: written ?? chosen, focus)
    case .number(let range):
      var text = ""
      if case .number(let number) = value { text = Question.decimalText(number) }
      return """
        <label><span class="unseen">\(range.unit.map { "\(name) (\($0))" } ?? name)</span><input name="value" inputmode="\(range.isWhole ? "numeric" : "decimal")" autocomplete="off"
        value="\(written?.first ?? text)" required\(focus)></label>
        """
    case .date:
      var text = ""
      if case .date(let day) = value { text = day.iso8601 }
      return """
        <label><span class="unseen">\(name)</span><input name="value" type="date" value="\(written?.first ?? text)" required\(focus)></label>
        """
    case .text:
      var text = ""
      if case .text(let words) = value { text = words }
      return """
        <label><span class="unseen">\(name)</span><textarea name="value" rows="3" maxlength="\(Question.charactersAtMost)" required\(focus)>\(written?.first ?? text)</textarea></label>
        """
    }
  }

  private func names(_ value: AnswerValue) -> [String] {
    switch value {
    case .choice(let name): [name.description]
    case .several(let names): names.map(\.description)
    default: []
    }
  }

  private func group(
    _ kind: String, _ name: String, _ choices: [(value: String, wording: String)],
    chosen: [String], _ focus: HTML
  ) -> HTML {
    // A browser asks for one of several buttons, but not for one of several boxes.
    let needed: HTML = kind == "radio" ? " required" : ""
    let rows = choices.enumerated().map { number, choice in
      let isChosen = chosen.contains(choice.value)
      return """
        <label class="choice"><input type="\(kind)" name="value" value="\(choice.value)"\(isChosen ? " checked" : "" as HTML)\(needed)\(number == 0 ? focus : "")> \(choice.wording)</label>
        """ as HTML
    }
    return "<fieldset class=\"choices\"><legend class=\"unseen\">\(name)</legend>\(rows)</fieldset>"
  }

  /// Returns the choice of photos on which an answer rests; nil for a task without photos.
  /// - Parameter ticked: the photos of an answer that was refused; nil for those of the last word.
  private func rests(_ item: OrderItem, _ ticked: [Identifier]?) -> HTML? {
    guard !photos.isEmpty else { return nil }
    let chosen = ticked ?? restsOn[item.name] ?? []
    let rows = photos.map { photo in
      """
      <label class="choice"><input type="checkbox" name="photo" value="\(photo.id.description)"\(chosen.contains(photo.id) ? " checked" : "" as HTML)>
      <img loading="lazy" alt="\(t("Photo {1}", photo.number))" src="/photos/\(photo.id.description)/thumbnail.jpg" width="80" height="60"></label>
      """ as HTML
    }
    return """
      <details\(chosen.isEmpty ? "" : " open" as HTML)><summary>\(t("Photos that show it"))</summary><fieldset class="choices"><legend>\(t("Photos that show it"))</legend>\(rows)</fieldset></details>
      """
  }
}
