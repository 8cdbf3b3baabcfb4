import Inspection
import TimeAndText
import Web

/// The parts of the pages that show what an order asks for. Both programs show them.
package struct ItemParts: Sendable {
  let t: Texts

  /// Creates the parts in a language.
  package init(t: Texts) { self.t = t }

  /// Returns an item's wording with what it asks for, and its hint.
  /// - Parameter showsContent: false where the form below shows what it asks for.
  package func words(of item: OrderItem, showsContent: Bool = true) -> HTML {
    let content = showsContent ? content(item.content) : nil
    return """
      <strong>\(item.wording)</strong>\(content.map { "<br><span class=\"muted\">\($0)</span>" as HTML })\
      \(item.hint.map { "<br><span class=\"hint\">\($0)</span>" as HTML })
      """
  }

  /// The place of the example pictures of an order or a template.
  package struct Examples: Sendable {
    let folder: String
    let missing: Set<String>

    /// Creates the place.
    /// - Parameters:
    ///   - folder: the address below which each picture has its digest as name.
    ///   - missing: the digests of those that are not here yet.
    package init(folder: String, missing: Set<String> = []) {
      (self.folder, self.missing) = (folder, missing)
    }

    /// Returns the address of a picture; nil if it is not here yet.
    package func address(_ digest: String) -> String? {
      missing.contains(digest) ? nil : "\(folder)/\(digest)"
    }
  }

  /// Returns the picture that shows what an item wants: small, and large after a tap; nil for an item
  /// without one.
  package func example(of item: OrderItem, _ examples: Examples) -> HTML? {
    item.shot?.example.map { digest in
      guard let address = examples.address(digest) else {
        return
          "<p class=\"muted\">\(t("The example picture is not here yet: it comes after the next delivery."))</p>"
      }
      return """
        <a class="item-example" href="\(address)"><img loading="lazy" src="\(address)" alt="\(t("Example: {1}", item.wording))"></a>
        """
    }
  }

  /// Returns what an item asks for, with the limits of its answer; nil for words that are only read.
  func content(_ content: OrderItem.Content) -> String? {
    switch content {
    case .shot(let shot): shots(shot)
    case .question(let question): self.question(question)
    case .track(.roundParcel): t("a track round the parcel")
    case .track(.free): t("a track")
    case .note: t("a note")
    case .words: nil
    }
  }

  /// Returns an answer in the reader's language.
  func shown(_ value: AnswerValue, of item: OrderItem) -> String {
    switch value {
    case .yes(let isYes): isYes ? t("yes") : t("no")
    case .date(let day): t.form.day(day)
    default: item.words(value)
    }
  }

  private func shots(_ shot: WantedShot) -> String {
    if shot.set != nil { return t("a set of pictures") }
    var words = [shot.least == 1 ? t("1 photo") : t("{1} photos", shot.least)]
    switch shot.station {
    case .point(_, let radius):
      words.append(t("within {1} of a station", t.form.distance(metres: radius)))
    case .section(let name): words.append(t("in section {1}", name))
    case .parcel(let identifier): words.append(t("in parcel {1}", identifier))
    case nil: break
    }
    if let bearing = shot.bearing { words.append(ShotParts(t: t).direction(bearing)) }
    switch shot.distance {
    case .near: words.append(t("from near"))
    case .far: words.append(t("from afar"))
    case nil: break
    }
    switch shot.hold {
    case .upright: words.append(t("upright"))
    case .across: words.append(t("across"))
    case nil: break
    }
    if shot.needsScale { words.append(t("with a scale")) }
    if shot.point != nil { words.append(t("of a photo point")) }
    return words.joined(separator: ", ")
  }

  private func question(_ question: Question) -> String {
    switch question.form {
    case .choice(let choices):
      return t("one of: {1}", choices.map(\.wording).joined(separator: ", "))
    case .several(let choices):
      return t("any of: {1}", choices.map(\.wording).joined(separator: ", "))
    case .number(let range):
      let unit = range.unit.map { " (\($0))" } ?? ""
      let words = range.isWhole ? t("a whole number") : t("a number")
      let limits: String? =
        switch (range.least, range.most) {
        case (let least?, let most?): t("{1} to {2}", number(least), number(most))
        case (let least?, nil): t("at least {1}", number(least))
        case (nil, let most?): t("at most {1}", number(most))
        case (nil, nil): nil
        }
      return words + unit + (limits.map { ", " + $0 } ?? "")
    case .text: return t("in words")
    case .yesOrNo: return t("yes or no")
    case .date: return t("a date")
    }
  }

  /// Returns a limit with as many places as it needs, at most three.
  private func number(_ value: Double) -> String {
    let places = (0...3).first { places in
      let scale = [1.0, 10, 100, 1000][places]
      return (value * scale).rounded() == value * scale
    }
    return t.decimal(value, places: places ?? 3)
  }
}
