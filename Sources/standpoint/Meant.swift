import Evidence
import FieldUnit
import Inspection
import Office
import SetCapture

/// The things that a person names at the terminal: by an identifier or a name, or by the beginning
/// of either if it fits one thing.
enum Meant {
  /// Finds a thing.
  /// - Parameters:
  ///   - kind: the words for what is looked at, such as `task's name or identifier`, and for several
  ///     things.
  ///   - list: the command that lists them.
  ///   - names: returns the names of a thing, its identifier first.
  /// - Throws: `ExitStatus.badInput` if none fits, or several do, and says so.
  static func one<Thing: Sendable>(
    _ text: String, of kind: (String, String), among things: [Thing], list: String,
    names: (Thing) -> [String]
  ) throws -> Thing {
    switch NameSearch.find(text, among: things, names: names) {
    case .one(let thing): return thing
    case .none:
      throw ExitStatus.explained(
        .badInput, "no \(kind.0) begins with \"\(text)\": \(list) shows all")
    case .several(let found):
      let shown = found.prefix(10).map { thing in
        let all = names(thing)
        return all.count > 1 ? "\(all[1]) (\(all[0]))" : all[0]
      }
      throw ExitStatus.explained(
        .badInput,
        "\"\(text)\" fits \(found.count) \(kind.1); add a few characters: "
          + shown.joined(separator: "; ") + (found.count > 10 ? "; …" : ""))
    }
  }

  /// Finds the account that a person names by login or full name. A login that nobody has is passed
  /// on: the office itself says that it is unknown.
  static func login(_ text: String, at office: OfficeServer) async throws -> String {
    let accounts = try await office.people.accounts(ofAgency: nil)
    if accounts.contains(where: { $0.login == text }) { return text }
    return try one(
      text, of: ("person's login or name", "people"), among: accounts,
      list: "standpoint office user list",
      names: { [$0.login] + ($0.name.map { [$0] } ?? []) }
    ).login
  }
}

extension InspectorUnit {
  // A whole identifier is not looked for in a list: the command itself says that it is unknown.

  /// Finds the task that a person has named.
  func task(meant text: String) throws -> Identifier {
    if let id = Identifier(text.lowercased()) { return id }
    return try Meant.one(
      text, of: ("task's name or identifier", "tasks"), among: try tasks(in: nil),
      list: "standpoint task list",
      names: { [$0.id.description, $0.name] }
    ).id
  }

  /// Finds the photo that a person has named by the beginning of its identifier.
  func photo(meant text: String) throws -> Identifier {
    if let id = Identifier(text.lowercased()) { return id }
    return try Meant.one(
      text, of: ("photo's identifier", "photos"), among: try photos(),
      list: "standpoint photo list",
      names: { [$0.id.description] }
    ).id
  }

  /// Finds the set that a person has named.
  func set(meant text: String) throws -> Identifier {
    if let id = Identifier(text.lowercased()) { return id }
    return try Meant.one(
      text, of: ("set's identifier", "sets"), among: try sets(), list: "standpoint around list",
      names: { [$0.id.description] }
    ).id
  }

  /// Finds the set that was interrupted and that a person has named.
  func openSet(meant text: String) throws -> Identifier {
    if let id = Identifier(text.lowercased()) { return id }
    return try Meant.one(
      text, of: ("interrupted set's identifier", "interrupted sets"), among: try openSets(),
      list: "standpoint around list", names: { [$0.id.description] }
    ).id
  }

  /// Finds the track that a person has named.
  func track(meant text: String) throws -> Identifier {
    if let id = Identifier(text.lowercased()) { return id }
    return try Meant.one(
      text, of: ("track's name or identifier", "tracks"), among: try tracks(),
      list: "standpoint track list",
      names: { [$0.id.description, $0.name] }
    ).id
  }
}
