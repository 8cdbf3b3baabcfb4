import CDBus

/// A value on the system bus. Numbers of all widths are one case, because the code that reads a
/// number knows its range.
package enum BusValue: Hashable, Sendable {
  case text(String)
  case path(String)
  case flag(Bool)
  case number(Int64)
  case real(Double)
  case list([BusValue])
  case dictionary([String: BusValue])
  /// A 32-bit number without sign; only in messages that are sent.
  case unsigned(UInt32)
  /// A 32-bit number with sign; only in messages that are sent.
  case signed(Int32)
  /// Bytes; only in messages that are sent.
  case bytes([UInt8])
  /// Named groups of named values, as NetworkManager's settings are; only in messages that are sent.
  case groups([String: [String: BusValue]])

  package var text: String? {
    switch self {
    case .text(let text), .path(let text): text
    default: nil
    }
  }

  package var flag: Bool? {
    if case .flag(let flag) = self { return flag }
    return nil
  }

  package var number: Int64? {
    switch self {
    case .number(let number): number
    case .unsigned(let number): Int64(number)
    case .signed(let number): Int64(number)
    default: nil
    }
  }

  package var list: [BusValue]? {
    if case .list(let list) = self { return list }
    return nil
  }

  package var dictionary: [String: BusValue]? {
    if case .dictionary(let dictionary) = self { return dictionary }
    return nil
  }

  package subscript(name: String) -> BusValue? { dictionary?[name] }
}

/// The letters of D-Bus for its types. In C they are macros with casts, which Swift cannot import.
private enum BusType {
  static let end: CInt = 0
  static let string = CInt(UInt8(ascii: "s"))
  static let objectPath = CInt(UInt8(ascii: "o"))
  static let boolean = CInt(UInt8(ascii: "b"))
  static let byte = CInt(UInt8(ascii: "y"))
  static let int16 = CInt(UInt8(ascii: "n"))
  static let uint16 = CInt(UInt8(ascii: "q"))
  static let int32 = CInt(UInt8(ascii: "i"))
  static let uint32 = CInt(UInt8(ascii: "u"))
  static let int64 = CInt(UInt8(ascii: "x"))
  static let uint64 = CInt(UInt8(ascii: "t"))
  static let double = CInt(UInt8(ascii: "d"))
  static let variant = CInt(UInt8(ascii: "v"))
  static let structure = CInt(UInt8(ascii: "r"))
  static let array = CInt(UInt8(ascii: "a"))
  static let entry = CInt(UInt8(ascii: "e"))
}

// MARK: reading

extension BusValue {
  /// The deepest nesting that is read, deeper than in any real answer; a hostile answer is cut off
  /// there.
  private static let depthLimit = 12

  /// Reads all arguments of a message.
  static func arguments(of message: OpaquePointer) -> [BusValue] {
    var iterator = DBusMessageIter()
    guard dbus_message_iter_init(message, &iterator) != 0 else { return [] }
    return values(&iterator, depth: 0)
  }

  private static func values(_ iterator: inout DBusMessageIter, depth: Int) -> [BusValue] {
    var values: [BusValue] = []
    while dbus_message_iter_get_arg_type(&iterator) != BusType.end {
      if let value = value(&iterator, depth: depth) { values.append(value) }
      dbus_message_iter_next(&iterator)
    }
    return values
  }

  private static func value(_ iterator: inout DBusMessageIter, depth: Int) -> BusValue? {
    guard depth < depthLimit else { return nil }
    switch dbus_message_iter_get_arg_type(&iterator) {
    case BusType.string: return characters(&iterator).map { .text($0) }
    case BusType.objectPath: return characters(&iterator).map { .path($0) }
    case BusType.boolean: return .flag(basic(&iterator, UInt32.zero) != 0)
    case BusType.byte: return .number(Int64(basic(&iterator, UInt8.zero)))
    case BusType.int16: return .number(Int64(basic(&iterator, Int16.zero)))
    case BusType.uint16: return .number(Int64(basic(&iterator, UInt16.zero)))
    case BusType.int32: return .number(Int64(basic(&iterator, Int32.zero)))
    case BusType.uint32: return .number(Int64(basic(&iterator, UInt32.zero)))
    case BusType.int64: return .number(basic(&iterator, Int64.zero))
    case BusType.uint64: return .number(Int64(clamping: basic(&iterator, UInt64.zero)))
    case BusType.double: return .real(basic(&iterator, Double.zero))
    case BusType.variant, BusType.structure:
      let isVariant = dbus_message_iter_get_arg_type(&iterator) == BusType.variant
      let inner = nested(&iterator, depth: depth)
      return isVariant ? inner.first : .list(inner)
    case BusType.array:
      guard dbus_message_iter_get_element_type(&iterator) == BusType.entry else {
        return .list(nested(&iterator, depth: depth))
      }
      return .dictionary(entries(&iterator, depth: depth))
    default: return nil
    }
  }

  private static func nested(_ iterator: inout DBusMessageIter, depth: Int) -> [BusValue] {
    var inner = DBusMessageIter()
    dbus_message_iter_recurse(&iterator, &inner)
    return values(&inner, depth: depth + 1)
  }

  private static func entries(
    _ iterator: inout DBusMessageIter, depth: Int
  ) -> [String: BusValue] {
    var entries: [String: BusValue] = [:]
    var inner = DBusMessageIter()
    dbus_message_iter_recurse(&iterator, &inner)
    while dbus_message_iter_get_arg_type(&inner) == BusType.entry {
      let pair = nested(&inner, depth: depth)
      // A numeric key is kept as its decimal digits.
      if pair.count == 2, let name = pair[0].text ?? pair[0].number.map({ "\($0)" }) {
        entries[name] = pair[1]
      }
      dbus_message_iter_next(&inner)
    }
    return entries
  }

  private static func basic<Number: BitwiseCopyable>(
    _ iterator: inout DBusMessageIter, _ empty: Number
  ) -> Number {
    var value = empty
    dbus_message_iter_get_basic(&iterator, &value)
    return value
  }

  private static func characters(_ iterator: inout DBusMessageIter) -> String? {
    var pointer: UnsafePointer<CChar>?
    dbus_message_iter_get_basic(&iterator, &pointer)
    return pointer.map { String(cString: $0) }
  }
}

// MARK: writing

extension BusValue {
  /// Appends the arguments to a message. Returns false if there is no memory.
  static func append(_ values: [BusValue], to message: OpaquePointer) -> Bool {
    var iterator = DBusMessageIter()
    dbus_message_iter_init_append(message, &iterator)
    return values.allSatisfy { $0.append(to: &iterator) }
  }

  private var signature: String {
    switch self {
    case .text: "s"
    case .path: "o"
    case .flag: "b"
    case .number: "x"
    case .unsigned: "u"
    case .real: "d"
    case .list: "as"
    case .dictionary: "a{sv}"
    case .signed: "i"
    case .bytes: "ay"
    case .groups: "a{sa{sv}}"
    }
  }

  private func append(to iterator: inout DBusMessageIter) -> Bool {
    switch self {
    case .text(let text): return Self.append(text, BusType.string, &iterator)
    case .path(let text):
      // libdbus ends the program for a path that is malformed, and paths come from services.
      guard dbus_validate_path(text, nil) != 0 else { return false }
      return Self.append(text, BusType.objectPath, &iterator)
    case .flag(let flag):
      var value: UInt32 = flag ? 1 : 0
      return dbus_message_iter_append_basic(&iterator, BusType.boolean, &value) != 0
    case .number(var number):
      return dbus_message_iter_append_basic(&iterator, BusType.int64, &number) != 0
    case .unsigned(var number):
      return dbus_message_iter_append_basic(&iterator, BusType.uint32, &number) != 0
    case .signed(var number):
      return dbus_message_iter_append_basic(&iterator, BusType.int32, &number) != 0
    case .bytes(let bytes):
      return Self.container(BusType.array, "y", &iterator) { inner in
        bytes.allSatisfy { byte in
          var value = byte
          return dbus_message_iter_append_basic(&inner, BusType.byte, &value) != 0
        }
      }
    case .groups(let groups):
      return Self.container(BusType.array, "{sa{sv}}", &iterator) { inner in
        groups.sorted { $0.key < $1.key }.allSatisfy { name, values in
          Self.container(BusType.entry, nil, &inner) { entry in
            Self.append(name, BusType.string, &entry)
              && BusValue.dictionary(values).append(to: &entry)
          }
        }
      }
    case .real(var number):
      return dbus_message_iter_append_basic(&iterator, BusType.double, &number) != 0
    case .list(let values):
      return Self.container(BusType.array, "s", &iterator) { inner in
        values.allSatisfy { $0.append(to: &inner) }
      }
    case .dictionary(let entries):
      return Self.container(BusType.array, "{sv}", &iterator) { inner in
        entries.sorted { $0.key < $1.key }.allSatisfy { name, value in
          Self.container(BusType.entry, nil, &inner) { entry in
            Self.append(name, BusType.string, &entry) && value.appendVariant(to: &entry)
          }
        }
      }
    }
  }

  /// Appends a value together with its type, as properties need it.
  private func appendVariant(to iterator: inout DBusMessageIter) -> Bool {
    Self.container(BusType.variant, signature, &iterator) { append(to: &$0) }
  }

  /// Appends the arguments of `Properties.Set`. Returns false if there is no memory.
  static func property(
    _ interface: String, _ name: String, _ value: BusValue, to message: OpaquePointer
  ) -> Bool {
    var iterator = DBusMessageIter()
    dbus_message_iter_init_append(message, &iterator)
    return append(interface, BusType.string, &iterator)
      && append(name, BusType.string, &iterator) && value.appendVariant(to: &iterator)
  }

  private static func container(
    _ kind: CInt, _ signature: String?, _ iterator: inout DBusMessageIter,
    _ body: (inout DBusMessageIter) -> Bool
  ) -> Bool {
    var inner = DBusMessageIter()
    guard dbus_message_iter_open_container(&iterator, kind, signature, &inner) != 0 else {
      return false
    }
    return body(&inner) && dbus_message_iter_close_container(&iterator, &inner) != 0
  }

  private static func append(
    _ text: String, _ kind: CInt, _ iterator: inout DBusMessageIter
  ) -> Bool {
    text.withCString { characters in
      var pointer: UnsafePointer<CChar>? = characters
      return dbus_message_iter_append_basic(&iterator, kind, &pointer) != 0
    }
  }
}
