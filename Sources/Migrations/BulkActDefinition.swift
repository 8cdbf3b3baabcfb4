/// The tables of acts on many tasks at once.
enum BulkActDefinition {
  /// An act has one step for each task. `change` is the number in `task_change` that the step made, and
  /// `inspector_told` the newest number that an inspector's devices have fetched: a step can be undone
  /// while its number is newer. `held_until` is the time before which no device hears of the act.
  static let atOffice = """
    CREATE TABLE bulk_act (
      id TEXT PRIMARY KEY,
      agency TEXT NOT NULL REFERENCES agency (agency),
      kind TEXT NOT NULL,
      officer TEXT NOT NULL,
      list TEXT NOT NULL,
      value TEXT,
      planned INTEGER NOT NULL,
      done INTEGER,
      undone INTEGER,
      held_until INTEGER
    ) STRICT;
    CREATE INDEX bulk_act_held ON bulk_act (agency, held_until) WHERE held_until IS NOT NULL;
    CREATE INDEX bulk_act_not_done ON bulk_act (agency, planned) WHERE done IS NULL;
    CREATE TABLE bulk_step (
      act TEXT NOT NULL REFERENCES bulk_act (id) ON DELETE CASCADE,
      number INTEGER NOT NULL,
      agency TEXT NOT NULL,
      task TEXT NOT NULL REFERENCES task (id),
      transitions INTEGER NOT NULL,
      revision INTEGER NOT NULL,
      examined INTEGER NOT NULL,
      shown TEXT NOT NULL,
      state TEXT NOT NULL,
      words TEXT,
      change INTEGER,
      copy TEXT REFERENCES task (id),
      copy_change INTEGER,
      due_before INTEGER,
      PRIMARY KEY (act, number)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX bulk_step_by_state ON bulk_step (act, state, number);
    CREATE INDEX bulk_step_by_task ON bulk_step (task);
    CREATE INDEX bulk_step_by_copy ON bulk_step (copy) WHERE copy IS NOT NULL;
    CREATE TABLE inspector_told (
      agency TEXT NOT NULL REFERENCES agency (agency),
      inspector TEXT NOT NULL,
      number INTEGER NOT NULL,
      PRIMARY KEY (agency, inspector)
    ) STRICT, WITHOUT ROWID;
    """
}
