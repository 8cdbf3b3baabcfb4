import Office
import Store

/// A reader of a form that is still arriving: short fields are kept, and a field with photos goes
/// to a `PhotoObjectReader` byte by byte, whatever its length.
///
/// The iOS app sends its JSON raw. A value that begins with a brace or a bracket is raw JSON,
/// because every encoder encodes these two. It ends where its JSON ends, and not at an ampersand
/// that an inspector has written into a note.
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
  /// The reader of the photos; nil if no field with photos was sent.
  private(set) var photos: PhotoObjectReader?
  /// True if a field, or all kept fields together, were longer than the limits.
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
  /// The most bytes of all names and values that are kept.
  private static let keptBytesAtMost = 256 << 10
  private var keptBytes = 0

  /// Creates a reader.
  /// - Parameters:
  ///   - photoFields: the names of the fields with photos.
  ///   - makeReader: makes the reader of such a field.
  init(photoFields: Set<String>, makeReader: @escaping () -> PhotoObjectReader) {
    self.photoFields = photoFields
    self.makeReader = makeReader
  }

  /// Reads the next piece of the body.
  func append(_ piece: UnsafeRawBufferPointer) {
    let bytes = piece.bindMemory(to: UInt8.self)
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: bytes.count) { signs in
      var index = 0
      while index < bytes.count { index = append(bytes, from: index, signs) }
    }
  }

  /// Reads a run of a picture's base64 characters, or else a single byte.
  /// - Returns: the index at which to go on.
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

  /// Ends the body.
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
