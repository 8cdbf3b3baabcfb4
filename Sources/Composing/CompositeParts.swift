import Evidence
import TimeAndText
import Web

/// The parts of the pages that show composites. Both programs show them.
public struct CompositeParts: Sendable {
  /// The path of the list.
  public static let path = "/composites"

  /// A photo that may go into a composite.
  public struct Choice: Sendable {
    /// The photo's identifier.
    public var id: String
    /// The words that name it, with its date.
    public var caption: String
    /// The address of a small picture of it.
    public var thumbnail: String

    /// Creates a choice.
    public init(id: String, caption: String, thumbnail: String) {
      (self.id, self.caption, self.thumbnail) = (id, caption, thumbnail)
    }
  }

  let t: Texts

  /// Creates the parts in a language.
  public init(_ t: Texts) { self.t = t }

  /// Returns the composites as pictures with their dates, or words that say how one is made.
  public func list(_ records: [CompositeRecord]) -> HTML {
    guard !records.isEmpty else {
      return """
        <div class="empty"><p>\(t("No composites yet."))</p>
        <p>\(t("Open a photo and choose “Then and now” to lay an earlier photo over it."))</p></div>
        """
    }
    let items = records.map { record -> HTML in
      """
      <li><a href="\(Self.path)/\(record.id)"><img src="\(Self.path)/\(record.id)/thumbnail.jpg" loading="lazy" alt="">\(caption(record))</a>
      <span class="muted">\(t("made {1}", t.moment(record.made)))</span></li>
      """
    }
    return "<ul class=\"compose-choice\">\(items)</ul>"
  }

  /// Returns the words that name a composite: both dates, the one above first.
  public func caption(_ record: CompositeRecord) -> String {
    t("{1} over {2}", day(record.above), day(record.below))
  }

  private func day(_ original: CompositeRecord.Original) -> String {
    String(original.taken.prefix(10))
  }

  /// Returns a composite with its facts and what can be done with it.
  /// - Parameters:
  ///   - photoPath: the path below which the photos are shown.
  ///   - isAllHere: true if both photos are still here, so that it can be changed.
  ///   - formField: the hidden field that a form of this reader needs.
  public func whole(
    _ record: CompositeRecord, photoPath: String, isAllHere: Bool, formField: HTML
  ) -> HTML {
    let path = "\(Self.path)/\(record.id)"
    func original(_ one: CompositeRecord.Original) -> HTML {
      "<a href=\"\(photoPath)/\(one.id)\">\(one.takenWords)</a> <code>\(one.id)</code>"
    }
    let change: HTML =
      isAllHere
      ? "<a class=\"button\" href=\"\(path)/change\" data-key=\"e\">\(t("Change it"))</a>"
      : "<p class=\"notice notice-note\">\(t("One of its photos is no longer here: it can be looked at, and not changed."))</p>"
    return """
      <a href="\(path)/composite.jpg"><img class="compose-whole" src="\(path)/composite.jpg" alt="\(t("Composite, not a photograph"))"></a>
      <p class="actions"><a class="button" href="\(path)/composite.jpg?download">\(t("Download"))</a>\(change)</p>
      <section class="card"><h2>\(t("Made from two photos"))</h2>\(HTML.facts([
        (t("Above"), original(record.above)), (t("Below"), original(record.below)),
        (t("Made"), .text(t.moment(record.made))), (t("Composed by"), .text(record.maker)),
      ]))
      <p>\(t("It is no evidence: it has no place of its own and belongs to no task. Anyone who has both photos can check with “standpoint verify” that it was made from them."))</p></section>
      <details class="card"><summary>\(t("Remove it"))</summary><form method="post" action="\(path)/remove">\(formField)
      <p>\(t("The composite is removed for good. Both photos stay."))</p>
      <button class="button danger">\(t("Remove the composite"))</button></form></details>
      """
  }

  /// Returns the photos that may be laid over or under one.
  /// - Parameter choices: those of the same task or near it, the nearest first.
  public func choices(_ choices: [Choice], with photo: Choice) -> HTML {
    let items = choices.map { choice -> HTML in
      """
      <li><a href="\(ComposeView.path)?with=\(QueryText.escaped(photo.id))&amp;photo=\(QueryText.escaped(choice.id))"><img src="\(choice.thumbnail)" loading="lazy" alt="">\(choice.caption)</a></li>
      """
    }
    let found: HTML =
      items.isEmpty
      ? "<p class=\"empty\">\(t("There is no other photo of its task or near it."))</p>"
      : "<ul class=\"compose-choice\">\(items)</ul>"
    return """
      <p>\(t("Choose the other photo. The earlier of both is laid over the later one."))</p>
      <ul class="compose-choice"><li><img src="\(photo.thumbnail)" alt="">\(t("This photo: {1}", photo.caption))</li></ul>
      <h2>\(t("Other photos"))</h2>\(found)
      """
  }
}
