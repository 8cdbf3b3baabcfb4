import Imagery
import TimeAndText

/// The record of a composite: which two photos it was made from, how one was laid over the other, and
/// by whom. It stands word by word in the composite's C2PA manifest, so that anybody who has both
/// photos can make the picture again.
public struct CompositeRecord: Sendable {
  /// The form of the record.
  public static let schema = "standpoint.composite/1"
  /// The words that are drawn into each composite and written into its metadata.
  public static let notice = "Composite, not a photograph"
  /// The quality of the JPEG, on libjpeg's own scale.
  public static let quality = 92

  /// A photo that went into a composite.
  public struct Original: Hashable, Sendable {
    /// The photo's identifier.
    public var id: String
    /// When it was taken, as its record says: RFC 3339, or a date alone for an archive picture.
    public var taken: String
    /// SHA-256 of the photo's file, hexadecimal.
    public var digest: String
    /// The label of the photo's own C2PA manifest, which the composite's repeats; nil if it has none.
    public var manifest: String?

    /// Creates the mention of a photo.
    public init(id: String, taken: String, digest: String, manifest: String? = nil) {
      (self.id, self.taken, self.digest, self.manifest) = (id, taken, digest, manifest)
    }

    /// The time for people: to the minute, in UTC, where it is known so well.
    public var takenWords: String {
      guard let time = DeviceTime(rfc3339: taken) else { return taken }
      return time.rfc3339.prefix(16).replacing("T", with: " ") + " UTC"
    }
  }

  /// The composite's identifier.
  public var id: String
  /// The agency in which it was made, and stays.
  public var agency: String
  /// The login of the person who made it.
  public var maker: String
  /// When it was made.
  public var made: DeviceTime
  /// The name and version of the program.
  public var software: String
  /// The photo below, A.
  public var below: Original
  /// The photo above, B, which is seen through the window.
  public var above: Original
  /// How the one above is laid over the one below.
  public var plan: CompositePlan
  /// The size of the whole picture with its mark, in pixels; nil before it is made.
  public internal(set) var size: (width: Int, height: Int)?

  /// Creates a record of a composite that is not made yet.
  public init(
    id: String, agency: String, maker: String, made: DeviceTime, software: String,
    below: Original, above: Original, plan: CompositePlan
  ) {
    (self.id, self.agency, self.maker, self.made) = (id, agency, maker, made)
    (self.software, self.below, self.above, self.plan) = (software, below, above, plan)
  }

  /// The words and stripes that are drawn round the picture.
  public var mark: CompositeMark {
    CompositeMark(lines: [
      Self.notice, "Below: \(below.takenWords), photo \(below.id)",
      "Above: \(above.takenWords), photo \(above.id)",
    ])
  }

  /// Returns the identifiers of composites by the photos that went into them, the earliest made first.
  public static func byPhoto(_ records: [CompositeRecord]) -> [String: [String]] {
    var found: [String: [String]] = [:]
    for record in records.sorted(by: { ($0.made, $0.id) < ($1.made, $1.id) }) {
      for photo in [record.below.id, record.above.id] {
        found[photo, default: []].append(record.id)
      }
    }
    return found
  }

  // MARK: JSON

  /// The record as it stands in the manifest.
  public var json: JSONValue {
    var members: [String: JSONValue] = [
      "schema": .string(Self.schema), "notice": .string(Self.notice), "id": .string(id),
      "agency": .string(agency), "maker": .string(maker), "made": .string(made.rfc3339),
      "software": .string(software), "below": Self.json(below), "above": Self.json(above),
      "plan": plan.json, "quality": .integer(Self.quality),
    ]
    if let size {
      members["widthPixels"] = .integer(size.width)
      members["heightPixels"] = .integer(size.height)
    }
    return .object(members)
  }

  private static func json(_ original: Original) -> JSONValue {
    .object(known: [
      ("id", .string(original.id)), ("taken", .string(original.taken)),
      ("digest", .string(original.digest)), ("manifest", original.manifest.map { .string($0) }),
    ])
  }

  /// Reads a record; nil if it is not one of this form, or if a text in it is too long.
  public init?(_ json: JSONValue) {
    guard json["schema"]?.text == Self.schema, json["notice"]?.text == Self.notice,
      json["quality"]?.wholeNumber == Self.quality,
      let made = json["made"]?.text.flatMap(DeviceTime.init(rfc3339:)),
      let below = Self.original(json["below"]), let above = Self.original(json["above"]),
      let plan = json["plan"].flatMap(CompositePlan.init(_:))
    else { return nil }
    var texts: [String] = []
    for name in ["id", "agency", "maker", "software"] {
      guard let text = json[name]?.text, Self.isShort(text) else { return nil }
      texts.append(text)
    }
    self.init(
      id: texts[0], agency: texts[1], maker: texts[2], made: made, software: texts[3],
      below: below, above: above, plan: plan)
    if let width = json["widthPixels"]?.wholeNumber,
      let height = json["heightPixels"]?.wholeNumber
    {
      size = (width, height)
    }
  }

  private static func original(_ json: JSONValue?) -> Original? {
    guard let id = json?["id"]?.text, let taken = json?["taken"]?.text,
      let digest = json?["digest"]?.text, [id, taken, digest].allSatisfy(isShort)
    else { return nil }
    let manifest = json?["manifest"]?.text
    guard manifest.map(isShort) ?? true else { return nil }
    return Original(id: id, taken: taken, digest: digest, manifest: manifest)
  }

  /// The longest text of a record, in bytes.
  private static let longestText = 200

  private static func isShort(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= longestText
  }
}

extension CompositePlan {
  /// The plan as a record has it: lengths and angles as decimal texts, which read back exactly.
  public var json: JSONValue {
    var members: [String: JSONValue] = [
      "shape": .string(window.shape.rawValue),
      "window": Self.json([
        ("centreX", window.centreX), ("centreY", window.centreY),
        ("halfWidth", window.halfWidth), ("halfHeight", window.halfHeight),
        ("angleDegrees", window.angleDegrees),
      ]), "softness": Self.number(softness), "transparency": Self.number(transparency),
    ]
    switch placement {
    case .byHand(let x, let y, let scale, let angle):
      members["place"] = Self.json([
        ("centreX", x), ("centreY", y), ("scale", scale), ("angleDegrees", angle),
      ])
    case .projected(let projection):
      members["projection"] = .array(projection.rows.map(Self.number))
    }
    if let crop {
      members["crop"] = .object([
        "x": .integer(crop.x), "y": .integer(crop.y), "width": .integer(crop.width),
        "height": .integer(crop.height),
      ])
    }
    return .object(members)
  }

  /// Reads a plan; nil if a member is missing or has another form. Whether the plan fits two
  /// pictures, `check` says.
  public init?(_ json: JSONValue) {
    guard let shape = json["shape"]?.text.flatMap(Shape.init(rawValue:)),
      let window = json["window"].flatMap({
        Self.numbers($0, ["centreX", "centreY", "halfWidth", "halfHeight", "angleDegrees"])
      }), let fades = Self.numbers(json, ["softness", "transparency"])
    else { return nil }
    let placement: Placement
    if let place = json["place"].flatMap({
      Self.numbers($0, ["centreX", "centreY", "scale", "angleDegrees"])
    }) {
      placement = .byHand(
        centreX: place[0], centreY: place[1], scale: place[2], angleDegrees: place[3])
    } else if let rows = json["projection"]?.elements?.compactMap(\.measured),
      let projection = Projection(rows: rows)
    {
      placement = .projected(projection)
    } else {
      return nil
    }
    self.init(
      placement,
      window: Window(
        shape, centreX: window[0], centreY: window[1], halfWidth: window[2],
        halfHeight: window[3], angleDegrees: window[4]),
      softness: fades[0], transparency: fades[1])
    if let crop = json["crop"] {
      let sides = ["x", "y", "width", "height"].compactMap { crop[$0]?.wholeNumber }
      guard sides.count == 4 else { return nil }
      self.crop = Crop(x: sides[0], y: sides[1], width: sides[2], height: sides[3])
    }
  }

  private static func number(_ value: Double) -> JSONValue { .string("\(value)") }

  private static func json(_ members: [(String, Double)]) -> JSONValue {
    .object(
      Dictionary(uniqueKeysWithValues: members.map { ($0.0, number($0.1)) }))
  }

  private static func numbers(_ json: JSONValue, _ names: [String]) -> [Double]? {
    let found = names.compactMap { json[$0]?.measured }
    return found.count == names.count ? found : nil
  }
}
