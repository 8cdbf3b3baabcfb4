/// The number of an inspector's photos without a task, kept beside them: counting a hundred thousand
/// of them took as long as all the rest of the page that shows 24.
enum StandaloneTallyDefinition {
  static let atOffice = """
    CREATE TABLE standalone_tally (
      agency TEXT NOT NULL,
      inspector TEXT NOT NULL,
      hidden INTEGER NOT NULL CHECK (hidden IN (0, 1)),
      photos INTEGER NOT NULL CHECK (photos >= 0),
      PRIMARY KEY (agency, inspector, hidden)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO standalone_tally (agency, inspector, hidden, photos)
      SELECT agency, inspector, hidden IS NOT NULL, count(*) FROM photo
      WHERE task IS NULL AND deleted IS NULL GROUP BY 1, 2, 3;
    CREATE TRIGGER photo_alone_is_counted AFTER INSERT ON photo
      WHEN NEW.task IS NULL AND NEW.deleted IS NULL
      BEGIN INSERT INTO standalone_tally (agency, inspector, hidden, photos)
        VALUES (NEW.agency, NEW.inspector, NEW.hidden IS NOT NULL, 1)
        ON CONFLICT DO UPDATE SET photos = photos + 1; END;
    CREATE TRIGGER photo_alone_is_counted_anew
      AFTER UPDATE OF agency, inspector, task, deleted, hidden ON photo
      BEGIN
        UPDATE standalone_tally SET photos = photos - 1
          WHERE OLD.task IS NULL AND OLD.deleted IS NULL AND agency = OLD.agency
          AND inspector = OLD.inspector AND hidden = (OLD.hidden IS NOT NULL);
        INSERT INTO standalone_tally (agency, inspector, hidden, photos)
          SELECT NEW.agency, NEW.inspector, NEW.hidden IS NOT NULL, 1
          WHERE NEW.task IS NULL AND NEW.deleted IS NULL
          ON CONFLICT DO UPDATE SET photos = photos + 1;
      END;
    """
}
