import Evidence
import Foundation
import Imagery
import TimeAndText
import Web

/// The entries of the page on which a composite is made: which photos, and the numbers of the plan as
/// they stand in the fields. They come in an address, so that a preview needs no script.
public struct CompositeEntries: Hashable, Sendable {
  /// The names of the number fields, with the words for their refusal.
  enum Field: String, CaseIterable {
    case windowX, windowY, windowWidth, windowHeight, windowAngle
    case placeX, placeY, placeScale, placeAngle
    case softness, transparency
    case cropX, cropY, cropWidth, cropHeight
  }

  /// The identifier of the earlier photo.
  public var old: String
  /// The identifier of the later photo.
  public var new: String
  /// True if the later photo is laid over the earlier one.
  public var isSwapped: Bool
  /// The composite that is changed; nil for a new one.
  public var changed: String?
  var shape: CompositePlan.Shape
  var texts: [Field: String]
  /// The nine numbers of a place that comparing both pictures has found; empty if the photo above was
  /// placed by hand.
  var projection: String

  /// The identifier of the photo below.
  public var below: String { isSwapped ? old : new }
  /// The identifier of the photo above.
  public var above: String { isSwapped ? new : old }

  /// Reads the entries of an address or of a form.
  /// - Parameter value: returns the text of a field; nil if it did not come.
  public init(_ value: (String) -> String?) {
    old = value("old") ?? ""
    new = value("new") ?? ""
    isSwapped = value("swap") == "yes"
    changed = value("id").flatMap { $0.isEmpty ? nil : $0 }
    shape = value("shape").flatMap(CompositePlan.Shape.init(rawValue:)) ?? .ellipse
    texts = [:]
    for field in Field.allCases { texts[field] = value(field.rawValue) }
    projection = value("projection") ?? ""
  }

  /// Creates the entries that show a composite's plan.
  public init(_ record: CompositeRecord, above: CompositeSource) {
    // The page calls the earlier one old; an archive picture's date alone sorts as well.
    isSwapped = record.below.taken < record.above.taken
    old = isSwapped ? record.below.id : record.above.id
    new = isSwapped ? record.above.id : record.below.id
    changed = record.id
    shape = record.plan.window.shape
    texts = [:]
    projection = ""
    show(record.plan, upper: try? above.size)
  }

  /// True if the address names no number: the page then proposes some.
  var isBare: Bool { texts.isEmpty }

  /// Fills in the numbers that a page begins with, if there are none.
  public mutating func propose(below: CompositeSource, above: CompositeSource) throws {
    guard isBare else { return }
    let (base, upper) = (try below.size, try above.size)
    show(
      CompositePlan.proposed(
        layingWidth: upper.width, height: upper.height, overWidth: base.width, height: base.height,
        shape))
  }

  /// Puts a plan's numbers into the fields.
  /// - Parameter upper: the size of the photo above; nil if it is not known.
  public mutating func show(_ plan: CompositePlan, upper: (width: Int, height: Int)? = nil) {
    func set(_ field: Field, _ value: Double, places: Int = 1) {
      var text = DecimalText.fixed(value, places: places)
      while text.contains("."), let end = text.last, end == "0" || end == "." {
        text.removeLast()
        if end == "." { break }
      }
      texts[field] = text
    }
    set(.windowX, plan.window.centreX)
    set(.windowY, plan.window.centreY)
    set(.windowWidth, 2 * plan.window.halfWidth)
    set(.windowHeight, 2 * plan.window.halfHeight)
    set(.windowAngle, plan.window.angleDegrees)
    set(.softness, 100 * plan.softness)
    set(.transparency, 100 * plan.transparency)
    var placement = plan.placement
    if case .projected(let found) = placement {
      projection = found.rows.map { "\($0)" }.joined(separator: ",")
      // The fields show the place by hand that comes nearest: it is what a finger then moves on.
      placement = upper.flatMap { found.byHand(width: $0.width, height: $0.height) } ?? placement
    }
    if case .byHand(let x, let y, let scale, let angle) = placement {
      set(.placeX, x)
      set(.placeY, y)
      set(.placeScale, scale, places: 4)
      set(.placeAngle, angle, places: 2)
    }
    guard let crop = plan.crop else { return }
    for (field, value) in [
      (Field.cropX, crop.x), (.cropY, crop.y), (.cropWidth, crop.width),
      (.cropHeight, crop.height),
    ] { texts[field] = "\(value)" }
  }

  /// Returns the plan that the fields say.
  /// - Throws: `CompositeProblem.plan` if a field is no number.
  public func plan() throws(CompositeProblem) -> CompositePlan {
    var plan = CompositePlan(
      .byHand(
        centreX: try number(.placeX, "place"), centreY: try number(.placeY, "place"),
        scale: try number(.placeScale, "place"), angleDegrees: try number(.placeAngle, "place")),
      window: CompositePlan.Window(
        shape, centreX: try number(.windowX, "window"), centreY: try number(.windowY, "window"),
        halfWidth: try number(.windowWidth, "window") / 2,
        halfHeight: try number(.windowHeight, "window") / 2,
        angleDegrees: try number(.windowAngle, "window")),
      softness: try number(.softness, "softness") / 100,
      transparency: try number(.transparency, "transparency") / 100)
    if !projection.isEmpty {
      let rows = projection.split(separator: ",").compactMap { Double($0) }
      guard projection.utf8.count < 400, let found = Projection(rows: rows) else {
        throw .plan(.number("place"))
      }
      plan.placement = .projected(found)
    }
    let crop = [Field.cropX, .cropY, .cropWidth, .cropHeight].map { texts[$0] ?? "" }
    guard crop.contains(where: { !$0.isEmpty }) else { return plan }
    let sides = crop.compactMap { Int($0.trimmingCharacters(in: .whitespaces)) }
    guard sides.count == crop.count else { throw .plan(.crop) }
    plan.crop = CompositePlan.Crop(x: sides[0], y: sides[1], width: sides[2], height: sides[3])
    return plan
  }

  private func number(_ field: Field, _ name: String) throws(CompositeProblem) -> Double {
    let text = (texts[field] ?? "").replacing(",", with: ".")
      .trimmingCharacters(in: .whitespaces)
    guard text.utf8.count < 40, let value = Double(text), value.isFinite else {
      throw .plan(.number(name))
    }
    return value
  }

  /// The entries as the query of an address, without its question mark.
  public var query: String {
    var pairs = [("old", old), ("new", new), ("shape", shape.rawValue)]
    if isSwapped { pairs.append(("swap", "yes")) }
    if let changed { pairs.append(("id", changed)) }
    if !projection.isEmpty { pairs.append(("projection", projection)) }
    for field in Field.allCases {
      if let text = texts[field], !text.isEmpty { pairs.append((field.rawValue, text)) }
    }
    return pairs.map { "\($0)=\(QueryText.escaped($1))" }.joined(separator: "&")
  }
}
