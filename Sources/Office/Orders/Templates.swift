import Evidence
import Inspection
import Store
import TimeAndText

/// The items that agencies keep for types of tasks.
package struct Templates: OfficeService {
  /// The core of the office.
  package let core: OfficeCore
}

extension Templates {
  /// The most characters of a title.
  package static let titleCharactersAtMost = 200

  /// Returns the newest version of each type's template, by type.
  package func newest(of agency: String) async throws -> [ItemTemplate] {
    try await database.read(in: agency) { try $0.templates.newest() }
  }

  /// Returns a version of a type's template, the newest for nil.
  /// - Throws: `StoreError.unknown` if there is none.
  package func template(
    ofType type: String, version: Int?, in agency: String
  ) async throws -> ItemTemplate {
    let known = try await database.read(in: agency) {
      try $0.templates.template(ofType: type, version: version)
    }
    guard let known else {
      throw StoreError.unknown(
        what: version.map { "version \($0) of a template for tasks of the type" }
          ?? "template for tasks of the type", id: type)
    }
    return known
  }

  /// Makes a new version of a type's template. Without any change there is no new version.
  /// - Parameter title: nil leaves the title as it is; an empty one takes it away.
  /// - Parameter base: the version that was changed, 0 for none; nil for any.
  /// - Parameter pictures: the digests of example pictures that come with the items.
  /// - Parameter isCarriedOut: false to look only: nothing is kept.
  /// - Returns: the version, and true if it is new.
  /// - Throws: `OfficeRefusal`, also for an example picture that is not here.
  package func take(
    _ items: OrderItems, title: String?, forType type: String, in agency: String,
    by login: String, basedOn base: Int? = nil, pictures: Set<String> = [],
    isCarriedOut: Bool = true
  ) async throws -> (template: ItemTemplate, isNew: Bool) {
    let missing = try items.exampleDigests.first {
      try !pictures.contains($0) && !photos.holds(EvidenceName.orderFile($0, agency: agency))
    }
    if let missing {
      throw OfficeRefusal(
        .inputInvalid,
        "the example picture \(missing) is not here: add it on the page of the template, or import the template with --pictures"
      )
    }
    let now = clock.deviceTime
    func next(
      _ known: ItemTemplate?
    ) -> (template: ItemTemplate, isNew: Bool) {
      let title = title.map { $0.isEmpty ? nil : $0 } ?? known?.title
      if let known, known.items == items, known.title == title { return (known, false) }
      return (
        ItemTemplate(
          type: type, version: (known?.version ?? 0) + 1, title: title, items: items, made: now,
          author: login), true
      )
    }
    guard isCarriedOut else {
      return next(
        try await database.read(in: agency) {
          try $0.templates.template(ofType: type, version: nil)
        })
    }
    return try await database.write(in: agency) { session in
      let known = try session.templates.template(ofType: type, version: nil)
      let (template, isNew) = next(known)
      guard isNew else { return (template, false) }
      if let base, base != known?.version ?? 0 {
        throw OfficeRefusal(
          .ruleForbids,
          "version \(known?.version ?? 0) was kept meanwhile, by \(known?.author ?? "nobody"): look at it in another window, then take over what you need, or open it again"
        )
      }
      try session.templates.insert(template)
      try session.log.add(
        log(
          "template-set", on: type, by: login, agency: agency,
          detail: "version \(template.version), \(template.items.items.count) items"))
      return (template, true)
    }
  }
}
