/// Where a device keeps its private key, by the device's own word.
public enum KeyKeeping: Hashable, Sendable {
  /// In a file: whoever has the file can sign anything.
  case file
  /// In a token that does not give it away: a smart card, a TPM.
  case token(maker: String, model: String, serial: String)

  /// The longest text of a token that is kept, characters.
  private static let longest = 64

  /// Reads the member of an enrolment. A missing one means a file, and so does one that is not known
  /// here: it is only a claim, and must not keep a device out.
  init(json: JSONValue?) {
    func text(_ name: String) -> String? {
      json?[name]?.text.flatMap { $0.count <= Self.longest ? $0 : nil }
    }
    guard json?["kind"]?.text == "token", let maker = text("maker"), let model = text("model"),
      let serial = text("serial")
    else {
      self = .file
      return
    }
    self = .token(maker: maker, model: model, serial: serial)
  }

  /// The member of an enrolment; nil for a file.
  package var json: JSONValue? {
    switch self {
    case .file: nil
    case .token(let maker, let model, let serial):
      .object([
        "kind": .string("token"), "maker": .string(maker), "model": .string(model),
        "serial": .string(serial),
      ])
    }
  }
}
