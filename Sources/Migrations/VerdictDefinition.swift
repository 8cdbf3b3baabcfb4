/// The tables of an office's words on the items of tasks.
enum VerdictDefinition {
  /// The office keeps those of each decision that returned items; a decision that is undone counts no
  /// more, and its words stay.
  static let atOffice = """
    CREATE TABLE item_verdict (
      agency TEXT NOT NULL,
      task TEXT NOT NULL REFERENCES task (id),
      decision TEXT NOT NULL,
      item TEXT NOT NULL,
      returned TEXT,
      judged TEXT NOT NULL CHECK (json_valid(judged)),
      PRIMARY KEY (task, decision, item)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX item_verdict_by_decision ON item_verdict (decision, item);
    CREATE TRIGGER item_verdict_is_never_changed BEFORE UPDATE ON item_verdict
      BEGIN SELECT RAISE(ABORT, 'a verdict is never changed'); END;
    """

  /// The lines that an officer draws over photos of a returned item.
  static let ofMarks = """
    ALTER TABLE item_verdict ADD COLUMN marks TEXT CHECK (marks IS NULL OR json_valid(marks));
    """

  /// A device keeps those of the last decision that it was told of.
  static let onDevice = """
    CREATE TABLE item_verdict (
      task TEXT PRIMARY KEY REFERENCES task (id),
      agency TEXT NOT NULL,
      inspector TEXT NOT NULL,
      verdicts TEXT NOT NULL CHECK (json_valid(verdicts))
    ) STRICT, WITHOUT ROWID;
    """
}
