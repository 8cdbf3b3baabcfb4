import GRDB

/// The history of the office database's schema. A released migration is never changed: it is the
/// SQL of its day, not derived from today's types. `schemas/office.sql` shows the schema after all
/// of them.
package enum OfficeMigrations {
  /// Returns the migrator.
  /// - Parameters:
  ///   - dividingParcels: gives each parcel on both sides of the antimeridian its rectangles; its
  ///     outline has to be read for that.
  ///   - countingMap: counts the photos and tasks that an earlier version has kept.
  package static func migrator(
    dividingParcels: @escaping @Sendable (Database) throws -> Void,
    countingMap: @escaping @Sendable (Database) throws -> Void
  ) -> DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("1 people, tasks, deliveries, log") { database in
      try database.execute(sql: first)
    }
    migrator.registerMigration("2 policies") { try $0.execute(sql: policies) }
    migrator.registerMigration("3 checks of photos") { try $0.execute(sql: checks) }
    migrator.registerMigration("4 changes of tasks, sign-ins of devices") { database in
      try database.execute(sql: changes)
    }
    migrator.registerMigration("5 photos that were not looked at yet, more indexes") { database in
      try database.execute(sql: unexamined)
    }
    migrator.registerMigration("6 orders of the list of tasks") { try $0.execute(sql: orders) }
    migrator.registerMigration("7 maps, photos without a task") { database in
      try database.execute(sql: map)
      try database.execute(sql: tallies)
      try database.execute(sql: filteredOrders)
      try database.execute(sql: photoPlaces)
    }
    migrator.registerMigration("8 parcels") { try $0.execute(sql: parcels) }
    migrator.registerMigration("9 quotas") { database in try database.execute(sql: quotas) }
    migrator.registerMigration("10 parcels on the map") { database in
      try database.execute(sql: parcelMap)
      try dividingParcels(database)
    }
    migrator.registerMigration("11 phones") { try $0.execute(sql: phones) }
    migrator.registerMigration("12 what was carried over") { try $0.execute(sql: carriedOver) }
    migrator.registerMigration("13 what came late, clocks, raw windows") {
      try $0.execute(sql: late)
    }
    migrator.registerMigration("14 held decisions, reasons to return") { database in
      try database.execute(sql: held)
    }
    registerLater(in: &migrator, countingMap)
    registerFaster(&migrator)
    return migrator
  }

  /// Registers the migrations from photo points on.
  private static func registerLater(
    in migrator: inout DatabaseMigrator,
    _ countingMap: @escaping @Sendable (Database) throws -> Void
  ) {
    migrator.registerMigration("15 photo points and their repeats") {
      try $0.execute(sql: photoPoints)
    }
    migrator.registerMigration("16 photo points that were withdrawn") {
      try $0.execute(sql: withdrawnPoints)
    }
    migrator.registerMigration("17 years on the map") { try $0.execute(sql: mapYears) }
    migrator.registerMigration("18 sets of frames") { try $0.execute(sql: frameSets) }
    migrator.registerMigration("19 sets that an order asks for") {
      try $0.execute(sql: OrderedSetsDefinition.columns)
    }
    migrator.registerMigration("20 templates") {
      try $0.execute(sql: TemplateDefinition.table)
    }
    migrator.registerMigration("21 items that an order asks for") {
      try $0.execute(sql: OrderedItemsDefinition.atOffice)
    }
    migrator.registerMigration("22 answers") { try $0.execute(sql: AnswerDefinition.atOffice) }
    migrator.registerMigration("23 tasks on the map, all years together") { database in
      try database.execute(sql: TaskCellDefinition.atOffice)
      try countingMap(database)
    }
    migrator.registerMigration("24 photos for items") {
      try $0.execute(sql: OrderedItemsDefinition.ofPhotos)
    }
    migrator.registerMigration("25 verdicts on items") {
      try $0.execute(sql: VerdictDefinition.atOffice)
    }
    migrator.registerMigration("26 standing of items") {
      try $0.execute(sql: StandingDefinition.atOffice)
    }
    migrator.registerMigration("27 photos that an officer moved") {
      try $0.execute(sql: StandingDefinition.ofMovedPhotos)
    }
    migrator.registerMigration("28 acts on many tasks") {
      try $0.execute(sql: BulkActDefinition.atOffice)
    }
    migrator.registerMigration("29 marks on photos") {
      try $0.execute(sql: VerdictDefinition.ofMarks)
    }
    migrator.registerMigration("30 sections and further parcels") {
      try $0.execute(sql: OrderedPlacesDefinition.columns + "\n" + StandingDefinition.ofPlaces)
    }
    migrator.registerMigration("31 attachments") {
      try $0.execute(sql: AttachmentDefinition.columns)
    }
    migrator.registerMigration("32 progress that devices tell") {
      try $0.execute(sql: StandingDefinition.ofToldProgress)
    }
  }

  /// Migrations that only make reading faster.
  private static func registerFaster(_ migrator: inout DatabaseMigrator) {
    migrator.registerMigration("33 answers of a type together") {
      try $0.execute(sql: StandingDefinition.byType)
    }
    migrator.registerMigration("34 tasks by their identifiers") {
      // Of a task that an answer names, a list asks for these: the row itself is not read.
      try $0.execute(
        sql: "CREATE INDEX task_by_identifier ON task (agency, id, state, inspector, type);")
    }
    migrator.registerMigration("35 photos without a task, counted") {
      try $0.execute(sql: StandaloneTallyDefinition.atOffice)
    }
    migrator.registerMigration("36 the log's entries of deliveries") {
      // A bundle proves for each of its receipts that the log has it.
      try $0.execute(
        sql: """
          CREATE INDEX log_of_deliveries ON log (subject) WHERE action = 'delivery-received';
          """)
    }
    migrator.registerMigration("37 receipts of a key") {
      // Each device asks for its receipts that the log's last checkpoint has.
      try $0.execute(sql: "CREATE INDEX batch_by_key ON batch (key, received);")
    }
  }

  /// One index for each order of the list of tasks, with the same expressions that `TaskSorting`
  /// compares: a page of the list, and the next task, are found by the index without sorting.
  private static let orders = """
    CREATE INDEX task_by_review ON task (agency, (state <> 'dataProvided'), created DESC, id);
    CREATE INDEX task_by_name ON task (agency, name COLLATE NOCASE, id);
    CREATE INDEX task_by_inspector ON task (agency, inspector, created DESC, id);
    CREATE INDEX task_by_due ON task (agency, (due IS NULL), coalesce(due, 0), id);
    CREATE INDEX task_by_due_late ON task (agency, (due IS NULL), coalesce(due, 0) DESC, id DESC);
    CREATE INDEX task_by_created ON task (agency, created, id);
    CREATE INDEX task_by_type ON task (agency, type);
    DROP INDEX photo_by_task;
    CREATE INDEX photo_by_task ON photo (agency, task, deleted, verdict, id);
    """

  /// Indexes of the photos that wait for a verdict, in the order of their arrival; of deletions by
  /// the thing that they delete; and of the links with a record, so that a key's are counted
  /// without reading one.
  private static let unexamined = """
    CREATE INDEX photo_unexamined ON photo (agency) WHERE verdict IS NULL;
    CREATE INDEX link_by_deleted ON link (agency, json_extract(record, '$.deletion.id'))
      WHERE kind = 'deletion';
    CREATE INDEX link_whole ON link (agency, key) WHERE record IS NOT NULL;
    """

  /// A number for each change of a task, so that a field unit asks only for newer ones. The mark
  /// tells a number of this database from the same number of a database restored from a backup.
  private static let changes = """
    CREATE TABLE task_change (
      number INTEGER PRIMARY KEY AUTOINCREMENT,
      agency TEXT NOT NULL,
      inspector TEXT NOT NULL,
      task TEXT NOT NULL REFERENCES task (id),
      mark TEXT NOT NULL DEFAULT (lower(hex(randomblob(8))))
    ) STRICT;
    CREATE INDEX task_change_by_inspector ON task_change (agency, inspector, number);
    CREATE INDEX task_change_by_task ON task_change (task, number);
    INSERT INTO task_change (agency, inspector, task)
      SELECT agency, inspector, id FROM task ORDER BY created, rowid;
    CREATE TRIGGER task_change_of_insert AFTER INSERT ON task
      BEGIN INSERT INTO task_change (agency, inspector, task)
        VALUES (NEW.agency, NEW.inspector, NEW.id); END;
    CREATE TRIGGER task_change_of_update AFTER UPDATE ON task
      BEGIN INSERT INTO task_change (agency, inspector, task)
        VALUES (NEW.agency, NEW.inspector, NEW.id); END;
    CREATE TRIGGER task_change_of_transition AFTER INSERT ON task_transition
      BEGIN INSERT INTO task_change (agency, inspector, task)
        SELECT agency, inspector, id FROM task WHERE id = NEW.task; END;

    ALTER TABLE device ADD COLUMN signed_out INTEGER;
    CREATE INDEX link_by_file ON link (agency, file_digest) WHERE file_digest IS NOT NULL;
    CREATE INDEX link_by_raw ON link (agency, raw_digest) WHERE raw_digest IS NOT NULL;
    """

  /// `held_until` is the time until which an officer can undo a decision; devices are told of it
  /// later. `return_reason` keeps each agency's usual reasons to return or decline a task.
  private static let held = """
    ALTER TABLE task_transition ADD COLUMN held_until INTEGER;
    CREATE INDEX task_transition_held ON task_transition (agency, inspector, held_until)
      WHERE held_until IS NOT NULL;
    CREATE TABLE return_reason (
      agency TEXT NOT NULL REFERENCES agency (agency),
      number INTEGER NOT NULL CHECK (number >= 1),
      text TEXT NOT NULL,
      PRIMARY KEY (agency, number)
    ) STRICT, WITHOUT ROWID;
    """

  private static let policies = """
    CREATE TABLE policy (
      agency TEXT NOT NULL REFERENCES agency (agency),
      revision INTEGER NOT NULL CHECK (revision >= 1),
      issued INTEGER NOT NULL,
      person TEXT NOT NULL,
      jws TEXT NOT NULL,
      PRIMARY KEY (agency, revision)
    ) STRICT;
    CREATE TRIGGER policy_is_never_changed BEFORE UPDATE ON policy
      BEGIN SELECT RAISE(ABORT, 'a policy is never changed'); END;
    CREATE TRIGGER policy_is_never_deleted BEFORE DELETE ON policy
      BEGIN SELECT RAISE(ABORT, 'a policy is never deleted'); END;
    """

  private static let checks = """
    CREATE TABLE photo_check (
      photo TEXT NOT NULL REFERENCES photo (id),
      name TEXT NOT NULL,
      agency TEXT NOT NULL,
      outcome TEXT NOT NULL CHECK (outcome IN
        ('agrees', 'contradicts', 'unclear', 'not-checkable')),
      numbers TEXT NOT NULL CHECK (json_valid(numbers)),
      photos TEXT NOT NULL CHECK (json_valid(photos)),
      words TEXT,
      PRIMARY KEY (photo, name)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX photo_check_by_outcome ON photo_check (agency, outcome, name);

    CREATE TABLE likeness (
      agency TEXT NOT NULL,
      block INTEGER NOT NULL,
      photos BLOB NOT NULL,
      likenesses BLOB NOT NULL CHECK (length(likenesses) % 24 = 0),
      PRIMARY KEY (agency, block),
      CHECK (length(photos) / 36 = length(likenesses) / 24)
    ) STRICT;

    CREATE TABLE transmitter (
      agency TEXT NOT NULL,
      transmitter TEXT NOT NULL,
      photo TEXT NOT NULL REFERENCES photo (id),
      key TEXT NOT NULL,
      latitude REAL NOT NULL CHECK (latitude BETWEEN -90 AND 90),
      longitude REAL NOT NULL CHECK (longitude BETWEEN -180 AND 180),
      PRIMARY KEY (agency, transmitter, photo)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE cell_site (
      agency TEXT NOT NULL REFERENCES agency (agency),
      transmitter TEXT NOT NULL,
      latitude REAL NOT NULL CHECK (latitude BETWEEN -90 AND 90),
      longitude REAL NOT NULL CHECK (longitude BETWEEN -180 AND 180),
      range REAL NOT NULL CHECK (range >= 0),
      PRIMARY KEY (agency, transmitter)
    ) STRICT, WITHOUT ROWID;
    """

  private static let first = """
    CREATE TABLE agency (
      agency TEXT PRIMARY KEY CHECK (agency <> ''),
      title TEXT NOT NULL,
      created INTEGER NOT NULL
    ) STRICT;

    CREATE TABLE person (
      login TEXT PRIMARY KEY CHECK (login <> ''),
      agency TEXT REFERENCES agency (agency),
      role TEXT NOT NULL CHECK (role IN
        ('inspector', 'officer', 'administrator', 'super-administrator')),
      name TEXT,
      password TEXT NOT NULL,
      disabled INTEGER,
      created INTEGER NOT NULL,
      CHECK ((agency IS NULL) = (role = 'super-administrator'))
    ) STRICT;
    CREATE INDEX person_by_agency ON person (agency, role, login);

    CREATE TABLE session (
      token_digest TEXT PRIMARY KEY,
      agency TEXT,
      login TEXT NOT NULL REFERENCES person (login),
      kind TEXT NOT NULL CHECK (kind IN ('browser', 'device')),
      key TEXT,
      created INTEGER NOT NULL,
      used INTEGER NOT NULL,
      expires INTEGER NOT NULL,
      CHECK ((kind = 'device') = (key IS NOT NULL))
    ) STRICT;
    CREATE INDEX session_by_person ON session (login);

    CREATE TABLE device (
      key TEXT PRIMARY KEY,
      agency TEXT NOT NULL REFERENCES agency (agency),
      inspector TEXT NOT NULL REFERENCES person (login),
      device TEXT NOT NULL,
      certificate TEXT NOT NULL,
      software TEXT,
      enrolled INTEGER NOT NULL,
      revoked INTEGER,
      revoked_reason TEXT,
      CHECK ((revoked IS NULL) = (revoked_reason IS NULL))
    ) STRICT;
    CREATE INDEX device_by_person ON device (agency, inspector);

    CREATE TABLE task (
      id TEXT PRIMARY KEY,
      agency TEXT NOT NULL REFERENCES agency (agency),
      inspector TEXT NOT NULL REFERENCES person (login),
      name TEXT NOT NULL CHECK (name <> ''),
      type TEXT,
      instructions TEXT,
      state TEXT NOT NULL CHECK (state IN
        ('new', 'open', 'returned', 'dataProvided', 'accepted', 'declined', 'withdrawn')),
      revision INTEGER NOT NULL CHECK (revision >= 1),
      created INTEGER NOT NULL,
      due INTEGER,
      note TEXT,
      parcel_identifier TEXT,
      parcel_rings TEXT CHECK (parcel_rings IS NULL OR json_valid(parcel_rings)),
      CHECK ((parcel_identifier IS NULL) = (parcel_rings IS NULL))
    ) STRICT;
    CREATE INDEX task_by_agency ON task (agency, state, inspector);

    CREATE TABLE task_order (
      task TEXT NOT NULL REFERENCES task (id),
      revision INTEGER NOT NULL,
      agency TEXT NOT NULL,
      inspector TEXT NOT NULL,
      name TEXT NOT NULL,
      type TEXT,
      instructions TEXT,
      due INTEGER,
      parcel_identifier TEXT,
      parcel_rings TEXT,
      replaced INTEGER NOT NULL,
      PRIMARY KEY (task, revision)
    ) STRICT;

    CREATE TABLE task_transition (
      id TEXT PRIMARY KEY,
      agency TEXT NOT NULL,
      inspector TEXT NOT NULL,
      task TEXT NOT NULL REFERENCES task (id),
      number INTEGER NOT NULL CHECK (number >= 1),
      action TEXT NOT NULL,
      from_state TEXT NOT NULL,
      to_state TEXT NOT NULL,
      person TEXT NOT NULL,
      role TEXT NOT NULL,
      time INTEGER NOT NULL,
      reason TEXT,
      revision INTEGER,
      conflict TEXT,
      UNIQUE (task, number)
    ) STRICT;
    CREATE TRIGGER task_transition_is_never_changed BEFORE UPDATE ON task_transition
      BEGIN SELECT RAISE(ABORT, 'a transition is never changed'); END;
    CREATE TRIGGER task_transition_is_never_deleted BEFORE DELETE ON task_transition
      BEGIN SELECT RAISE(ABORT, 'a transition is never deleted'); END;

    CREATE TABLE batch (
      id TEXT PRIMARY KEY,
      agency TEXT NOT NULL,
      inspector TEXT NOT NULL,
      key TEXT NOT NULL REFERENCES device (key),
      message_digest TEXT NOT NULL,
      received INTEGER NOT NULL,
      receipt TEXT NOT NULL
    ) STRICT;
    CREATE TRIGGER batch_is_never_changed BEFORE UPDATE ON batch
      BEGIN SELECT RAISE(ABORT, 'a batch is never changed'); END;

    CREATE TABLE link (
      jws_digest TEXT PRIMARY KEY,
      agency TEXT NOT NULL,
      inspector TEXT NOT NULL,
      key TEXT NOT NULL REFERENCES device (key),
      sequence INTEGER NOT NULL CHECK (sequence >= 1),
      id TEXT NOT NULL,
      kind TEXT NOT NULL,
      jws TEXT NOT NULL,
      record_digest TEXT NOT NULL,
      file_digest TEXT,
      raw_digest TEXT,
      record TEXT CHECK (record IS NULL OR json_valid(record)),
      task TEXT,
      received INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX link_by_place ON link (key, sequence);
    CREATE INDEX link_by_task ON link (agency, task);
    CREATE INDEX link_by_id ON link (agency, id);
    CREATE TRIGGER link_is_never_changed BEFORE UPDATE ON link
      WHEN OLD.record IS NOT NULL OR NEW.jws <> OLD.jws
      BEGIN SELECT RAISE(ABORT, 'a link is never changed'); END;
    CREATE TRIGGER link_is_never_deleted BEFORE DELETE ON link
      BEGIN SELECT RAISE(ABORT, 'a link is never deleted'); END;

    CREATE TABLE photo (
      id TEXT PRIMARY KEY,
      agency TEXT NOT NULL,
      inspector TEXT NOT NULL,
      task TEXT REFERENCES task (id),
      origin TEXT NOT NULL CHECK (origin IN ('camera', 'imported')),
      gnss_time_of_day INTEGER NOT NULL CHECK (gnss_time_of_day BETWEEN 0 AND 86400999),
      gnss_day INTEGER,
      device_time INTEGER NOT NULL,
      latitude REAL NOT NULL CHECK (latitude BETWEEN -90 AND 90),
      longitude REAL NOT NULL CHECK (longitude BETWEEN -180 AND 180),
      ellipsoidal_height REAL,
      mean_sea_level_height REAL,
      uncertainty_95 REAL CHECK (uncertainty_95 > 0),
      method TEXT NOT NULL,
      standpoint TEXT CHECK (standpoint IS NULL OR json_valid(standpoint)),
      orientation TEXT CHECK (orientation IS NULL OR json_valid(orientation)),
      camera TEXT NOT NULL CHECK (json_valid(camera)),
      file_digest TEXT NOT NULL,
      bytes INTEGER NOT NULL CHECK (bytes > 0),
      width INTEGER NOT NULL CHECK (width > 0),
      height INTEGER NOT NULL CHECK (height > 0),
      note TEXT,
      simulated INTEGER NOT NULL CHECK (simulated IN (0, 1)),
      sent INTEGER,
      delivered INTEGER,
      revision INTEGER,
      image_digest TEXT,
      verdict TEXT,
      findings TEXT CHECK (findings IS NULL OR json_valid(findings)),
      deleted INTEGER,
      deleted_reason TEXT,
      CHECK ((deleted IS NULL) = (deleted_reason IS NULL))
    ) STRICT;
    CREATE INDEX photo_by_task ON photo (agency, task);
    CREATE INDEX photo_by_image ON photo (agency, image_digest);

    CREATE TABLE track (
      id TEXT PRIMARY KEY,
      agency TEXT NOT NULL,
      inspector TEXT NOT NULL,
      task TEXT REFERENCES task (id),
      name TEXT NOT NULL,
      started INTEGER NOT NULL,
      delivered INTEGER NOT NULL,
      deleted INTEGER,
      deleted_reason TEXT,
      CHECK ((deleted IS NULL) = (deleted_reason IS NULL))
    ) STRICT;
    CREATE INDEX track_by_task ON track (agency, task);

    CREATE TABLE log (
      number INTEGER PRIMARY KEY,
      agency TEXT,
      time INTEGER NOT NULL,
      person TEXT NOT NULL,
      action TEXT NOT NULL,
      subject TEXT NOT NULL,
      detail TEXT,
      digest TEXT NOT NULL
    ) STRICT;
    CREATE INDEX log_by_agency ON log (agency, number);
    CREATE TRIGGER log_is_never_changed BEFORE UPDATE ON log
      BEGIN SELECT RAISE(ABORT, 'the log is never changed'); END;
    CREATE TRIGGER log_is_never_deleted BEFORE DELETE ON log
      BEGIN SELECT RAISE(ABORT, 'the log is never deleted'); END;
    """
}
