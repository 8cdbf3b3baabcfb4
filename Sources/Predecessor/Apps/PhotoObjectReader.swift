import Office
import Store

/// A reader of the JSON of a photo, or of an array of photos, that is still arriving: the picture
/// in it goes to the disk, and the rest is kept as it is.
///
/// The reader understands only as much as it needs to find the member `photo` of an object: strings
/// with their escapes, and the depth of braces. The strict reader then parses the rest that was
/// kept, and says if all of it was JSON.
final class PhotoObjectReader {
  /// One photo: its fields with an empty text for the picture; and the picture, nil if there is
  /// none.
  struct Element {
    var fields: [UInt8]
    var picture: PictureSpool?
  }

  private(set) var elements: [Element] = []
  /// True if the outermost value has ended.
  private(set) var isComplete = false
  /// True if a limit was passed: of bytes, of elements or of depth.
  private(set) var isTooLarge = false
  /// True if nothing but blanks has come.
  private(set) var isEmpty = true

  private let fieldBytesAtMost: Int
  private let elementsAtMost: Int
  private let makeSpool: () -> PictureSpool
  /// The bytes of all elements that are complete.
  private var keptBytes = 0
  private var isArray = false
  private var depth = 0
  private var fields: [UInt8] = []
  private var picture: PictureSpool?
  private var isInText = false
  private var isEscaped = false
  private var isInPicture = false
  /// The digits that an escape `\u` in the picture still lacks.
  private var unicodeDigits = 0
  private var unicode: UInt32 = 0
  private var key: [UInt8] = []
  private var isKeyNext = false
  private var isReadingKey = false
  private var isPictureNext = false

  private static let name = Array("photo".utf8)

  /// Creates a reader.
  /// - Parameters:
  ///   - fieldBytesAtMost: the most bytes of everything but the pictures, of all elements together.
  ///   - elementsAtMost: the most elements of an array.
  ///   - makeSpool: makes the spool for a picture.
  init(
    fieldBytesAtMost: Int = 512 << 10, elementsAtMost: Int = 40,
    makeSpool: @escaping () -> PictureSpool
  ) {
    self.fieldBytesAtMost = fieldBytesAtMost
    self.elementsAtMost = elementsAtMost
    self.makeSpool = makeSpool
  }

  private var objectDepth: Int { isArray ? 2 : 1 }

  /// Reads the next byte of the text.
  @inline(__always)
  func append(_ byte: UInt8) {
    if isInPicture, !isEscaped, unicodeDigits == 0, byte != UInt8(ascii: "\\"),
      byte != UInt8(ascii: "\"")
    {
      picture?.append(byte)
      return
    }
    appendSlowly(byte)
  }

  /// True if the next bytes are base64 up to the next backslash or quotation mark.
  var isInPlainPicture: Bool { isInPicture && !isEscaped && unicodeDigits == 0 }

  /// Appends a run of base64 characters at once; only if `isInPlainPicture` is true.
  func append(run: UnsafeBufferPointer<UInt8>) { picture?.append(run: run) }

  private func appendSlowly(_ byte: UInt8) {
    if isInPicture { return appendToPicture(byte) }
    guard !isComplete else { return }
    if isInText { return appendToText(byte) }
    switch byte {
    case 0x20, 0x09, 0x0A, 0x0D:
      if depth > 0 { keep(byte) }
      return
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      if isEmpty { isArray = byte == UInt8(ascii: "[") }
      depth += 1
      if depth > 64 { isTooLarge = true }
      isKeyNext = byte == UInt8(ascii: "{") && depth == objectDepth
      if depth >= objectDepth { keep(byte) }
    case UInt8(ascii: "}"), UInt8(ascii: "]"):
      if depth >= objectDepth { keep(byte) }
      depth -= 1
      if depth == objectDepth - 1, byte == UInt8(ascii: "}") { finishElement() }
      if depth <= 0 { isComplete = true }
    case UInt8(ascii: "\""):
      if isPictureNext, depth == objectDepth {
        keep(byte)
        picture = makeSpool()
        (isInPicture, isPictureNext) = (true, false)
      } else {
        keep(byte)
        isInText = true
        isReadingKey = isKeyNext && depth == objectDepth
        key = []
      }
      isKeyNext = false
    case UInt8(ascii: ","):
      if depth >= objectDepth { keep(byte) }
      isKeyNext = depth == objectDepth
      isPictureNext = false
    case UInt8(ascii: ":"):
      keep(byte)
      isPictureNext = depth == objectDepth && key == Self.name
    default:
      keep(byte)
      isPictureNext = false
    }
    isEmpty = false
  }

  private func appendToText(_ byte: UInt8) {
    keep(byte)
    if isEscaped {
      isEscaped = false
      // A name with an escape in it is never the one that is looked for.
      key.append(0)
    } else if byte == UInt8(ascii: "\\") {
      isEscaped = true
    } else if byte == UInt8(ascii: "\"") {
      (isInText, isReadingKey) = (false, false)
    } else if isReadingKey, key.count <= Self.name.count {
      key.append(byte)
    }
  }

  private func appendToPicture(_ byte: UInt8) {
    if unicodeDigits > 0 {
      unicode = unicode << 4 | UInt32(PHPDecoder.digit(byte) ?? 0)
      unicodeDigits -= 1
      if unicodeDigits == 0 { picture?.append(unicode < 128 ? UInt8(unicode) : 0) }
    } else if isEscaped {
      isEscaped = false
      switch byte {
      case UInt8(ascii: "u"): (unicodeDigits, unicode) = (4, 0)
      // Line ends and tabs mean nothing in base64.
      case UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"): break
      default: picture?.append(byte)
      }
    } else if byte == UInt8(ascii: "\\") {
      isEscaped = true
    } else {
      // The quotation mark ends the picture.
      keep(byte)
      isInPicture = false
      picture?.finish()
    }
  }

  /// True if the text was an array with nothing in it.
  var isEmptyArray: Bool {
    isComplete && isArray && elements.isEmpty && fields.allSatisfy { $0 <= 0x20 }
  }

  private func keep(_ byte: UInt8) {
    guard keptBytes + fields.count < fieldBytesAtMost else {
      isTooLarge = true
      return
    }
    fields.append(byte)
  }

  private func finishElement() {
    guard elements.count < elementsAtMost else {
      isTooLarge = true
      return
    }
    // Blanks between two elements of an array were kept before the brace.
    if let start = fields.firstIndex(of: UInt8(ascii: "{")) { fields.removeFirst(start) }
    elements.append(Element(fields: fields, picture: picture))
    keptBytes += fields.count
    fields = []
    picture = nil
  }
}
