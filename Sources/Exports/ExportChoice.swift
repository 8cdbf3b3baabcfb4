import Inspection

/// The choice of what an export contains.
public enum ExportChoice: Hashable, Sendable {
  /// Everything that the person who asks may see.
  case all
  /// The tasks with these identifiers, and everything that belongs to them.
  case tasks([Identifier])
  /// The photos with these identifiers.
  case photos([Identifier])
  /// The tracks with these identifiers.
  case tracks([Identifier])

  /// The kind of things that are chosen one by one, by its name in commands, addresses and file
  /// names.
  public enum Kind: String, CaseIterable, Sendable {
    case task, photo, track
  }

  /// Creates a choice of things of one kind.
  public init(_ kind: Kind, _ ids: [Identifier]) {
    self =
      switch kind {
      case .task: .tasks(ids)
      case .photo: .photos(ids)
      case .track: .tracks(ids)
      }
  }

  /// Returns the identifiers of the chosen tasks; none if photos or tracks are chosen.
  /// - Parameter all: returns the identifiers of all tasks that there are; called for `.all` only.
  public func tasks(all: () throws -> [Identifier]) rethrows -> [Identifier] {
    switch self {
    case .all: try all()
    case .tasks(let chosen): chosen
    case .photos, .tracks: []
    }
  }

  /// The options for pages and programs that ask for nothing else: the usual ones, except that a
  /// CSV of chosen tracks has a row for each point.
  public var usualOptions: ExportOptions {
    var options = ExportOptions()
    if case .tracks = self { options.rows = .points }
    return options
  }
}
