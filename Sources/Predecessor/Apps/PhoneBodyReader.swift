import Office
import Store

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
  /// Of all names and values that are kept.
  private static let keptBytesAtMost = 256 << 10
  private var keptBytes = 0

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
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: bytes.count) { signs in
      var index = 0
      while index < bytes.count { index = append(bytes, from: index, signs) }
    }
  }

  /// Takes a run of a picture's signs, or a single byte, whatever stands there.
  /// - Returns: where to go on.
  private func append(
    _ bytes: UnsafeBufferPointer<UInt8>, from index: Int, _ signs: UnsafeMutableBufferPointer<UInt8>
  ) -> Int {
    let isEncoded = place == .encodedPhotos && decoder.isIdle
    if isEncoded || place == .rawPhotos, let photos, photos.isInPlainPicture {
      let run = PictureText.collect(bytes, from: index, isEncoded: isEncoded, into: signs)
      if run.end > index {
        photos.append(run: UnsafeBufferPointer(rebasing: signs[..<run.signs]))
        return run.end
      }
    }
    append(bytes[index])
    return index + 1
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
      keptBytes += name.count + value.count
      if keptBytes > Self.keptBytesAtMost {
        isTooLarge = true
      } else if !text.isEmpty, values.count < Self.fieldsAtMost || values[text] != nil {
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
