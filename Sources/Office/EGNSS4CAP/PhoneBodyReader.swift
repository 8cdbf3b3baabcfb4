/// Reads a form while it comes: short fields are kept, and a field with photos goes to a `PhotoObjectReader` byte by
/// byte, whatever its length.
///
/// The iOS app sends its JSON as it is. A value that begins with a brace or a bracket is such a one: no encoder
/// leaves them. It ends where its JSON ends, and not at an ampersand that somebody has written into a note.
final class PhoneBodyReader {
  private enum Place {
    case name
    case value
    case photosBegin
    case encodedPhotos
    case rawPhotos
    case behindRawPhotos
  }

  /// The fields that were short enough to be kept.
  private(set) var values: [String: String] = [:]
  /// What came of the photos; nil where no such field was sent.
  private(set) var photos: PhotoObjectReader?
  /// Whether a field was longer than is taken.
  private(set) var isTooLarge = false
  private(set) var isRaw = false

  private let photoFields: Set<String>
  private let makeReader: () -> PhotoObjectReader
  private var place = Place.name
  private var name: [UInt8] = []
  private var value: [UInt8] = []
  private var decoder = PHPDecoder()

  private static let nameBytesAtMost = 256
  private static let valueBytesAtMost = 64 << 10
  private static let fieldsAtMost = 200

  /// - Parameters:
  ///   - photoFields: the names of the fields with photos.
  ///   - makeReader: what reads them.
  init(photoFields: Set<String>, makeReader: @escaping () -> PhotoObjectReader) {
    self.photoFields = photoFields
    self.makeReader = makeReader
  }

  /// The next piece of the body.
  func append(_ piece: UnsafeRawBufferPointer) {
    let bytes = piece.bindMemory(to: UInt8.self)
    Self.isPlain.withUnsafeBufferPointer { isPlain in
      var index = 0
      while index < bytes.count { index = append(bytes, from: index, isPlain) }
    }
  }

  /// Takes a run of signs, an encoded sign or a single byte, whatever stands there.
  /// - Returns: where to go on.
  @inline(__always)
  private func append(
    _ bytes: UnsafeBufferPointer<UInt8>, from index: Int, _ isPlain: UnsafeBufferPointer<Bool>
  ) -> Int {
    let isEncoded = place == .encodedPhotos && decoder.isIdle
    guard isEncoded || place == .rawPhotos, let photos else {
      append(bytes[index])
      return index + 1
    }
    // Nearly all of a body is base64, which is the same in each encoding but for a few signs.
    if photos.isInPlainPicture {
      var end = index
      while end < bytes.count, isPlain[Int(bytes[end])] { end += 1 }
      if end > index {
        photos.append(run: UnsafeBufferPointer(rebasing: bytes[index..<end]))
        return end
      }
    }
    if isEncoded, bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count,
      let high = PHPDecoder.digit(bytes[index + 1]), let low = PHPDecoder.digit(bytes[index + 2])
    {
      photos.append(high << 4 | low)
      return index + 3
    }
    append(bytes[index])
    return index + 1
  }

  /// Signs that mean themselves in base64, encoded or raw. A plus does, too: as a space it is one again.
  private static let isPlain: [Bool] = (0...255).map { byte in
    switch UInt8(byte) {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2B, 0x2F: true
    default: false
    }
  }

  @inline(__always)
  private func append(_ byte: UInt8) {
    switch place {
    case .encodedPhotos:
      if byte == UInt8(ascii: "&") {
        finishField()
      } else {
        let photos = photos
        decoder.decode(byte) { photos?.append($0) }
      }
    case .rawPhotos:
      photos?.append(byte)
      if byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]"), photos?.isComplete == true {
        place = .behindRawPhotos
      }
    default: appendSlowly(byte)
    }
  }

  private func appendSlowly(_ byte: UInt8) {
    switch place {
    case .name:
      if byte == UInt8(ascii: "=") {
        let text = PHPForm.name(PHPForm.decoded(name))
        place = photoFields.contains(text) ? .photosBegin : .value
        if place == .photosBegin { photos = makeReader() }
      } else if byte == UInt8(ascii: "&") {
        finishField()
      } else if name.count < Self.nameBytesAtMost {
        name.append(byte)
      } else {
        isTooLarge = true
      }
    case .value:
      if byte == UInt8(ascii: "&") {
        finishField()
      } else if value.count < Self.valueBytesAtMost {
        value.append(byte)
      } else {
        isTooLarge = true
      }
    case .photosBegin:
      switch byte {
      case UInt8(ascii: "&"): finishField()
      case UInt8(ascii: "+"), 0x20, 0x09, 0x0A, 0x0D: break
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        (place, isRaw) = (.rawPhotos, true)
        append(byte)
      default:
        place = .encodedPhotos
        append(byte)
      }
    case .behindRawPhotos:
      if byte == UInt8(ascii: "&") { finishField() }
    case .encodedPhotos, .rawPhotos: break
    }
  }

  /// The end of the body.
  func finish() {
    finishField()
  }

  private func finishField() {
    switch place {
    case .name, .value:
      let text = PHPForm.name(PHPForm.decoded(name))
      if !text.isEmpty, values.count < Self.fieldsAtMost || values[text] != nil {
        values[text] = String(decoding: PHPForm.decoded(value), as: UTF8.self)
      }
    case .encodedPhotos:
      let photos = photos
      decoder.finish { photos?.append($0) }
    case .photosBegin, .rawPhotos, .behindRawPhotos: break
    }
    (name, value, decoder, place) = ([], [], PHPDecoder(), .name)
  }

  /// The form without its photos.
  var form: PHPForm { PHPForm(values, isRaw: isRaw) }
}
