import CPKCS11
import Evidence

/// The label, the maker, the model and the serial number that a token tells of itself.
public struct TokenDescription: Hashable, Sendable {
  /// The label that its owner gave it.
  public var label: String
  /// The maker.
  public var maker: String
  /// The model.
  public var model: String
  /// The serial number.
  public var serial: String

  init(_ info: ck_token_info) {
    func text(_ field: some Any) -> String {
      let bytes = withUnsafeBytes(of: field) { Array($0) }
      return String(decoding: bytes, as: UTF8.self).filter { !$0.isNewline && $0 != "\0" }
        .trimmingEnd
    }
    label = text(info.label)
    maker = text(info.manufacturer_id)
    model = text(info.model)
    serial = text(info.serial_number)
  }

  init(label: String, maker: String, model: String, serial: String) {
    (self.label, self.maker, self.model, self.serial) = (label, maker, model, serial)
  }

  init?(_ json: JSONValue?) {
    guard let label = json?["label"]?.text, let maker = json?["maker"]?.text,
      let model = json?["model"]?.text, let serial = json?["serial"]?.text
    else { return nil }
    (self.label, self.maker, self.model, self.serial) = (label, maker, model, serial)
  }

  var json: JSONValue {
    .object([
      "label": .string(label), "maker": .string(maker), "model": .string(model),
      "serial": .string(serial),
    ])
  }

  /// Maker and model in one line.
  public var name: String { [maker, model].filter { !$0.isEmpty }.joined(separator: " ") }
}

extension String {
  fileprivate var trimmingEnd: String {
    var text = self[...]
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
