/// The phone or browser that took a photo, as it describes itself. Nothing here is proved: it says which
/// words a page told.
public struct PhotoPhone: Hashable, Sendable {
  /// The most characters that are kept of each word.
  public static let charactersAtMost = 200

  /// The identity of its session on the field unit; nil for the browser of the device itself.
  public var session: String?
  /// Make, model and version in the browser's words; nil if it tells none.
  public var browser: String?
  /// The phone's model, where the browser tells it by itself; nil if it does not.
  public var model: String?
  /// The camera's own name; nil if the browser does not tell.
  public var camera: String?

  /// Creates a description. Each word is cut to `charactersAtMost`, and an empty one is none.
  public init(session: String? = nil, browser: String?, model: String?, camera: String?) {
    func word(_ text: String?) -> String? {
      guard let text else { return nil }
      var kept = String.UnicodeScalarView()
      kept.append(
        contentsOf: text.unicodeScalars.lazy.filter { !Character($0).isNewline }
          .prefix(Self.charactersAtMost))
      let word = String(kept)
      return word.allSatisfy(\.isWhitespace) ? nil : word
    }
    self.session = session
    (self.browser, self.model, self.camera) = (word(browser), word(model), word(camera))
  }
}

/// The distance between the receiver's antenna and the lens of the camera.
///
/// The position of a photo is the antenna's. The direction of the lens from there is not known, so the
/// whole distance is added to the position's uncertainty: a circle that holds the antenna with 95 %, made
/// larger by the greatest distance, holds the lens with at least 95 %.
public struct LensOffset: Hashable, Codable, Sendable {
  /// The greatest distance that can be set, metres: an antenna on a car's roof, the phone beside it.
  public static let metresAtMost = 5.0

  /// The distance, metres.
  public let metres: Double
  /// The most by which the distance differs from that, metres.
  public let uncertaintyMetres: Double

  /// No distance: the antenna is where the lens is.
  public static let none = LensOffset(checked: 0, 0)

  /// Creates a distance; nil if one of the numbers is negative, above `metresAtMost`, or none.
  public init?(metres: Double, uncertaintyMetres: Double) {
    guard (0...Self.metresAtMost).contains(metres),
      (0...Self.metresAtMost).contains(uncertaintyMetres)
    else { return nil }
    self.init(checked: metres, uncertaintyMetres)
  }

  private init(checked metres: Double, _ uncertaintyMetres: Double) {
    (self.metres, self.uncertaintyMetres) = (metres, uncertaintyMetres)
  }

  /// The distance that is added to a position's uncertainty, metres.
  public var addedMetres: Double { metres + uncertaintyMetres }
}
