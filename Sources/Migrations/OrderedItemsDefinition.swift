/// The tables of the items that orders ask for. The rows of an order hold until a later revision has
/// rows of its own.
enum OrderedItemsDefinition {
  /// The office keeps the version of the template, which never changes; none from this revision on
  /// if it is NULL.
  static let atOffice = """
    CREATE TABLE task_items (
      task TEXT NOT NULL REFERENCES task (id),
      revision INTEGER NOT NULL CHECK (revision >= 1),
      agency TEXT NOT NULL,
      type TEXT,
      version INTEGER,
      PRIMARY KEY (task, revision),
      FOREIGN KEY (agency, type, version) REFERENCES item_template (agency, type, version),
      CHECK ((type IS NULL) = (version IS NULL))
    ) STRICT, WITHOUT ROWID;
    """

  /// Both sides keep with a photo the item that it is for.
  static let ofPhotos = "ALTER TABLE photo ADD COLUMN item TEXT;"

  /// A device keeps the items themselves: it has no templates.
  static let onDevice = """
    CREATE TABLE task_items (
      task TEXT NOT NULL REFERENCES task (id),
      revision INTEGER NOT NULL CHECK (revision >= 1),
      agency TEXT NOT NULL,
      inspector TEXT NOT NULL,
      type TEXT,
      version INTEGER CHECK (version > 0),
      items TEXT CHECK (items IS NULL OR json_valid(items)),
      PRIMARY KEY (task, revision),
      CHECK ((type IS NULL) = (version IS NULL) AND (type IS NULL) = (items IS NULL))
    ) STRICT, WITHOUT ROWID;
    """
}
