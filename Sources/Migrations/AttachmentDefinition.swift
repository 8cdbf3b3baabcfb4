/// The columns of the files that an order carries for its inspector: the same at the field unit and at the
/// office.
enum AttachmentDefinition {
  /// Tasks that an earlier program fetched without them come once more.
  static let onDevice = columns + "\nDELETE FROM setting WHERE name LIKE 'task-cursor%';"

  static let columns = """
    ALTER TABLE task ADD COLUMN attachments TEXT CHECK (attachments IS NULL OR json_valid(attachments));
    ALTER TABLE task_order ADD COLUMN attachments TEXT
      CHECK (attachments IS NULL OR json_valid(attachments));
    """
}
