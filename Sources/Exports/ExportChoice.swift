import Inspection

/// What an export is made of.
public enum ExportChoice: Hashable, Sendable {
  /// Everything that whoever asks may see.
  case all
  /// These tasks with what belongs to them.
  case tasks([Identifier])
  /// These photos.
  case photos([Identifier])
  /// These tracks.
  case tracks([Identifier])

  /// What is chosen one by one, by its name in commands, addresses and file names.
  public enum Kind: String, CaseIterable, Sendable {
    case task, photo, track
  }

  /// These of one kind.
  public init(_ kind: Kind, _ ids: [Identifier]) {
    self =
      switch kind {
      case .task: .tasks(ids)
      case .photo: .photos(ids)
      case .track: .tracks(ids)
      }
  }

  /// The tasks that are chosen.
  /// - Parameter all: tells all that there are.
  public func tasks(all: () throws -> [Identifier]) rethrows -> [Identifier] {
    switch self {
    case .all: try all()
    case .tasks(let chosen): chosen
    case .photos, .tracks: []
    }
  }

  /// What pages and programs get, which say nothing more: a track that is taken by itself comes point by point.
  public var usualOptions: ExportOptions {
    var options = ExportOptions()
    if case .tracks = self { options.rows = .points }
    return options
  }
}
