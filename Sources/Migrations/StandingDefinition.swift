/// The tables of the standing of tasks' items at the office: how far each task is, and the values of its
/// answers, for lists and statistics. The office computes them from everything that was given; nothing
/// else is computed from them.
enum StandingDefinition {
  /// The tasks whose standing is to be computed anew are noted by triggers: these see every way in which
  /// something can change. `fresh` is 1 while nothing was given for a new order.
  static let atOffice = """
    CREATE TABLE task_standing (
      agency TEXT NOT NULL,
      task TEXT NOT NULL REFERENCES task (id),
      asked INTEGER NOT NULL CHECK (asked >= 0),
      answered INTEGER NOT NULL CHECK (answered BETWEEN 0 AND asked),
      missing INTEGER NOT NULL CHECK (missing >= 0),
      impossible INTEGER NOT NULL CHECK (impossible >= 0),
      PRIMARY KEY (agency, task)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX task_with_missing ON task_standing (agency, task) WHERE missing > 0;
    CREATE INDEX task_with_impossible ON task_standing (agency, task) WHERE impossible > 0;

    CREATE TABLE item_value (
      agency TEXT NOT NULL,
      item TEXT NOT NULL,
      value TEXT NOT NULL,
      type TEXT NOT NULL,
      kind TEXT NOT NULL CHECK (kind IN ('value', 'words', 'notPossible')),
      inspector TEXT NOT NULL,
      week INTEGER NOT NULL,
      task TEXT NOT NULL REFERENCES task (id),
      PRIMARY KEY (agency, item, value, type, kind, inspector, week, task)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX item_value_by_task ON item_value (agency, task, item, value);

    CREATE TABLE task_to_judge (
      agency TEXT NOT NULL,
      task TEXT NOT NULL REFERENCES task (id),
      fresh INTEGER NOT NULL CHECK (fresh IN (0, 1)),
      PRIMARY KEY (agency, task)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO task_to_judge (agency, task, fresh) SELECT DISTINCT agency, task, 0 FROM task_items;
    CREATE TRIGGER order_is_judged AFTER INSERT ON task_items BEGIN
      INSERT INTO task_to_judge (agency, task, fresh) VALUES (NEW.agency, NEW.task, NEW.revision = 1)
      ON CONFLICT DO UPDATE SET fresh = 0; END;
    CREATE TRIGGER order_is_judged_anew AFTER UPDATE ON task_items BEGIN
      \(noting("NEW")) END;
    CREATE TRIGGER task_is_judged_anew AFTER UPDATE OF inspector, state ON task BEGIN
      \(noting("NEW", task: "id")) END;
    \(triggers(on: "photo", "task, deleted, item"))
    \(triggers(on: "track", "task, deleted, hidden"))
    \(triggers(on: "frame_set", "task, deleted, hidden"))
    CREATE TRIGGER answer_is_judged AFTER INSERT ON item_answer BEGIN \(noting("NEW")) END;
    CREATE TRIGGER verdict_is_judged AFTER INSERT ON item_verdict BEGIN \(noting("NEW")) END;
    """

  /// The values of answers again, those of one type of tasks next to each other: a page about one type
  /// does not read the answers of all others.
  static let byType = """
    ALTER TABLE item_value RENAME TO item_value_before;
    CREATE TABLE item_value (
      agency TEXT NOT NULL,
      type TEXT NOT NULL,
      item TEXT NOT NULL,
      value TEXT NOT NULL,
      kind TEXT NOT NULL CHECK (kind IN ('value', 'words', 'notPossible')),
      inspector TEXT NOT NULL,
      week INTEGER NOT NULL,
      task TEXT NOT NULL REFERENCES task (id),
      PRIMARY KEY (agency, type, item, value, kind, inspector, week, task)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO item_value (agency, type, item, value, kind, inspector, week, task)
      SELECT agency, type, item, value, kind, inspector, week, task FROM item_value_before;
    DROP TABLE item_value_before;
    CREATE INDEX item_value_by_task ON item_value (agency, task, item, value);
    """

  /// How far tasks are by the word of their inspectors' devices, which also count photos that are not sent
  /// yet.
  static let ofToldProgress = """
    CREATE TABLE task_progress (
      agency TEXT NOT NULL,
      task TEXT NOT NULL REFERENCES task (id),
      answered INTEGER NOT NULL CHECK (answered BETWEEN 0 AND asked),
      asked INTEGER NOT NULL CHECK (asked >= 0),
      PRIMARY KEY (agency, task)
    ) STRICT, WITHOUT ROWID;
    CREATE TRIGGER progress_is_over AFTER UPDATE OF inspector, state ON task
      WHEN NEW.inspector <> OLD.inspector OR NEW.state <> 'open' BEGIN
      DELETE FROM task_progress WHERE agency = NEW.agency AND task = NEW.id; END;
    """

  /// An officer may move a photo to another item of its task. The mark stands beside the photo, and only
  /// beside one whose record names no item.
  static let ofMovedPhotos = """
    ALTER TABLE photo ADD COLUMN office_item TEXT
      CHECK (office_item IS NULL OR (item IS NULL AND task IS NOT NULL));
    CREATE TRIGGER photo_is_judged_when_moved AFTER UPDATE OF office_item ON photo
      BEGIN \(noting("NEW")) END;
    """

  /// The land of an order decides which shots have a condition.
  static let ofPlaces = """
    DROP TRIGGER task_is_judged_anew;
    CREATE TRIGGER task_is_judged_anew
      AFTER UPDATE OF inspector, state, places, parcel_identifier ON task BEGIN
      \(noting("NEW", task: "id")) END;
    """

  /// Returns the triggers on a table of things that belong to tasks.
  private static func triggers(on table: String, _ columns: String) -> String {
    """
    CREATE TRIGGER \(table)_is_judged AFTER INSERT ON \(table) WHEN NEW.task IS NOT NULL
      BEGIN \(noting("NEW")) END;
    CREATE TRIGGER \(table)_is_judged_anew AFTER UPDATE OF \(columns) ON \(table)
      BEGIN \(noting("OLD")) \(noting("NEW")) END;
    """
  }

  /// Returns the statement that notes the task of a row, if its order asks for items.
  private static func noting(_ row: String, task: String = "task") -> String {
    """
    INSERT INTO task_to_judge (agency, task, fresh)
      SELECT agency, task, 0 FROM task_items WHERE task_items.task = \(row).\(task) LIMIT 1
      ON CONFLICT DO UPDATE SET fresh = 0;
    """
  }
}
