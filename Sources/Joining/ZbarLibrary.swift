import CZbar
import Foundation
import TimeAndText

// libzbar brings X11 and Video4Linux along, which would take 3 MB from each command that never looks
// at a code, if the program were linked with it. It is loaded by the first picture.

/// The error of a machine without libzbar.
package struct QRReaderError: Error, Worded {
  /// The loader's own words.
  package var reason: String
  /// The message for people.
  package var wording: Wording {
    "QR codes cannot be read: libzbar is missing (package libzbar0): \(reason)"
  }
}

/// The functions of libzbar that read codes.
struct ZbarLibrary: Sendable {
  typealias Make = @convention(c) () -> OpaquePointer?
  typealias Free = @convention(c) (OpaquePointer) -> Void
  typealias Configure =
    @convention(c) (OpaquePointer, zbar_symbol_type_t, zbar_config_t, Int32) -> Int32
  typealias SetFormat = @convention(c) (OpaquePointer, UInt) -> Void
  typealias SetSize = @convention(c) (OpaquePointer, UInt32, UInt32) -> Void
  typealias SetData =
    @convention(c) (OpaquePointer, UnsafeRawPointer?, UInt, UnsafeRawPointer?) -> Void
  typealias Scan = @convention(c) (OpaquePointer, OpaquePointer) -> Int32
  typealias Symbol = @convention(c) (OpaquePointer) -> OpaquePointer?
  typealias Kind = @convention(c) (OpaquePointer) -> zbar_symbol_type_t
  typealias Bytes = @convention(c) (OpaquePointer) -> UnsafePointer<CChar>?
  typealias Length = @convention(c) (OpaquePointer) -> UInt32

  /// The library, loaded at its first use.
  static let loaded = Result<ZbarLibrary, QRReaderError> { () throws(QRReaderError) in
    try ZbarLibrary()
  }
  private static let fileName = "libzbar.so.0"

  let makeScanner: Make
  let makeImage: Make
  let freeScanner: Free
  let freeImage: Free
  let configure: Configure
  let setFormat: SetFormat
  let setSize: SetSize
  let setData: SetData
  let scan: Scan
  let firstSymbol: Symbol
  let nextSymbol: Symbol
  let kind: Kind
  let data: Bytes
  let length: Length

  private init() throws(QRReaderError) {
    guard let handle = dlopen(Self.fileName, RTLD_NOW | RTLD_LOCAL) else {
      throw QRReaderError(reason: dlerror().map { String(cString: $0) } ?? "no reason given")
    }
    func symbol<Function>(_ name: String, _: Function.Type) throws(QRReaderError) -> Function {
      guard let found = dlsym(handle, "zbar_" + name) else {
        throw QRReaderError(reason: "it has no zbar_\(name)")
      }
      return unsafeBitCast(found, to: Function.self)
    }
    makeScanner = try symbol("image_scanner_create", Make.self)
    makeImage = try symbol("image_create", Make.self)
    freeScanner = try symbol("image_scanner_destroy", Free.self)
    freeImage = try symbol("image_destroy", Free.self)
    configure = try symbol("image_scanner_set_config", Configure.self)
    setFormat = try symbol("image_set_format", SetFormat.self)
    setSize = try symbol("image_set_size", SetSize.self)
    setData = try symbol("image_set_data", SetData.self)
    scan = try symbol("scan_image", Scan.self)
    firstSymbol = try symbol("image_first_symbol", Symbol.self)
    nextSymbol = try symbol("symbol_next", Symbol.self)
    kind = try symbol("symbol_get_type", Kind.self)
    data = try symbol("symbol_get_data", Bytes.self)
    length = try symbol("symbol_get_data_length", Length.self)
  }
}
