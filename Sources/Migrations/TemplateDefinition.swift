/// The table of templates.
enum TemplateDefinition {
  /// The items that agencies keep for types of tasks. A version is never changed: orders name it.
  static let table = """
    CREATE TABLE item_template (
      agency TEXT NOT NULL REFERENCES agency (agency),
      type TEXT NOT NULL,
      version INTEGER NOT NULL CHECK (version > 0),
      title TEXT,
      items TEXT NOT NULL CHECK (json_valid(items)),
      item_count INTEGER NOT NULL CHECK (item_count > 0),
      made INTEGER NOT NULL,
      person TEXT NOT NULL,
      PRIMARY KEY (agency, type, version)
    ) STRICT, WITHOUT ROWID;
    CREATE TRIGGER item_template_is_never_changed BEFORE UPDATE ON item_template
      BEGIN SELECT RAISE(ABORT, 'a version of a template is never changed'); END;
    CREATE TRIGGER item_template_is_never_deleted BEFORE DELETE ON item_template
      BEGIN SELECT RAISE(ABORT, 'a version of a template is never deleted'); END;
    """
}
