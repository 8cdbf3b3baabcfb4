import GRDB
import Inspection
import TimeAndText

/// An agency's templates, by type of tasks and version.
public struct TemplateTable: AgencyTable {
  let database: Database
  let agency: String

  init(database: Database, agency: String) {
    (self.database, self.agency) = (database, agency)
  }
}

extension TemplateTable {
  /// Returns a version of a type's template; nil if there is none.
  /// - Parameter version: the number of the version; nil for the newest.
  public func template(ofType type: String, version: Int?) throws -> ItemTemplate? {
    try Row.fetchOne(
      database,
      sql: """
        SELECT * FROM item_template WHERE agency = :agency AND type = :type
        AND (:version IS NULL OR version = :version) ORDER BY version DESC LIMIT 1
        """, arguments: arguments(["type": type, "version": version])
    ).map(template)
  }

  /// Returns the newest version of each type's template, by type.
  public func newest() throws -> [ItemTemplate] {
    try Row.fetchAll(
      database,
      sql: """
        SELECT * FROM item_template AS own WHERE agency = :agency AND version =
          (SELECT max(version) FROM item_template AS other
            WHERE other.agency = own.agency AND other.type = own.type)
        ORDER BY type
        """, arguments: arguments()
    ).map(template)
  }

  /// Adds a version.
  public func insert(_ template: ItemTemplate) throws {
    try database.execute(
      sql: """
        INSERT INTO item_template (agency, type, version, title, items, item_count, made, person)
        VALUES (:agency, :type, :version, :title, :items, :count, :made, :person)
        """,
      arguments: arguments([
        "type": template.type, "version": template.version, "title": template.title,
        "items": ItemRows.text(template.items),
        "count": template.items.items.count, "made": template.made.millisecondsSince1970,
        "person": template.author,
      ]))
  }

  private func template(_ row: Row) throws -> ItemTemplate {
    let (type, version): (String, Int) = (row["type"], row["version"])
    return ItemTemplate(
      type: type, version: version, title: row["title"],
      items: try ItemRows.items(
        row["items"], of: "version \(version) of the template for \(type)"),
      made: DeviceTime(millisecondsSince1970: row["made"]), author: row["person"])
  }
}
