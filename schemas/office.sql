CREATE TRIGGER agency_storage_of_insert AFTER INSERT ON agency
  BEGIN INSERT INTO agency_storage (agency) VALUES (NEW.agency); END;

CREATE TABLE agency (
  agency TEXT PRIMARY KEY CHECK (agency <> ''),
  title TEXT NOT NULL,
  created INTEGER NOT NULL
) STRICT;

CREATE TABLE agency_storage (
  agency TEXT PRIMARY KEY REFERENCES agency (agency),
  stored_bytes INTEGER NOT NULL DEFAULT 0 CHECK (stored_bytes >= 0),
  quota_bytes INTEGER CHECK (quota_bytes IS NULL OR quota_bytes >= 0)
) STRICT;

CREATE TRIGGER batch_is_never_changed BEFORE UPDATE ON batch
  BEGIN SELECT RAISE(ABORT, 'a batch is never changed'); END;

CREATE TABLE batch (
  id TEXT PRIMARY KEY,
  agency TEXT NOT NULL,
  inspector TEXT NOT NULL,
  key TEXT NOT NULL REFERENCES device (key),
  message_digest TEXT NOT NULL,
  received INTEGER NOT NULL,
  receipt TEXT NOT NULL
) STRICT;

CREATE INDEX batch_by_key ON batch (key, received);

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

CREATE INDEX bulk_step_by_copy ON bulk_step (copy) WHERE copy IS NOT NULL;

CREATE INDEX bulk_step_by_state ON bulk_step (act, state, number);

CREATE INDEX bulk_step_by_task ON bulk_step (task);

CREATE TRIGGER carried_over_is_never_changed BEFORE UPDATE ON carried_over
  BEGIN SELECT RAISE(ABORT, 'what was carried over is never changed'); END;

CREATE TABLE carried_over (
  agency TEXT NOT NULL REFERENCES agency (agency),
  source TEXT NOT NULL CHECK (source <> ''),
  kind TEXT NOT NULL CHECK (kind IN ('agency', 'user', 'task', 'photo', 'track')),
  number INTEGER NOT NULL,
  inspector TEXT,
  subject TEXT NOT NULL,
  marks TEXT NOT NULL CHECK (json_valid(marks)),
  facts TEXT NOT NULL CHECK (json_valid(facts)),
  time INTEGER NOT NULL,
  PRIMARY KEY (agency, source, kind, number)
) STRICT, WITHOUT ROWID;

CREATE INDEX carried_over_by_subject ON carried_over (agency, kind, subject);

CREATE TABLE cell_site (
  agency TEXT NOT NULL REFERENCES agency (agency),
  transmitter TEXT NOT NULL,
  latitude REAL NOT NULL CHECK (latitude BETWEEN -90 AND 90),
  longitude REAL NOT NULL CHECK (longitude BETWEEN -180 AND 180),
  range REAL NOT NULL CHECK (range >= 0),
  PRIMARY KEY (agency, transmitter)
) STRICT, WITHOUT ROWID;

CREATE TABLE chain_clock (
  key TEXT PRIMARY KEY REFERENCES device (key),
  agency TEXT NOT NULL,
  sequence INTEGER NOT NULL CHECK (sequence >= 1),
  latest INTEGER
) STRICT;

CREATE TABLE device (
  key TEXT PRIMARY KEY,
  agency TEXT NOT NULL REFERENCES agency (agency),
  inspector TEXT NOT NULL REFERENCES person (login),
  device TEXT NOT NULL,
  certificate TEXT NOT NULL,
  software TEXT,
  enrolled INTEGER NOT NULL,
  revoked INTEGER,
  revoked_reason TEXT, signed_out INTEGER,
  CHECK ((revoked IS NULL) = (revoked_reason IS NULL))
) STRICT;

CREATE INDEX device_by_person ON device (agency, inspector);

CREATE TRIGGER frame_set_is_judged AFTER INSERT ON frame_set WHEN NEW.task IS NOT NULL
  BEGIN INSERT INTO task_to_judge (agency, task, fresh)
  SELECT agency, task, 0 FROM task_items WHERE task_items.task = NEW.task LIMIT 1
  ON CONFLICT DO UPDATE SET fresh = 0; END;

CREATE TRIGGER frame_set_is_judged_anew AFTER UPDATE OF task, deleted, hidden ON frame_set
  BEGIN INSERT INTO task_to_judge (agency, task, fresh)
  SELECT agency, task, 0 FROM task_items WHERE task_items.task = OLD.task LIMIT 1
  ON CONFLICT DO UPDATE SET fresh = 0; INSERT INTO task_to_judge (agency, task, fresh)
  SELECT agency, task, 0 FROM task_items WHERE task_items.task = NEW.task LIMIT 1
  ON CONFLICT DO UPDATE SET fresh = 0; END;

CREATE TABLE frame_set (
  id TEXT PRIMARY KEY,
  agency TEXT NOT NULL,
  inspector TEXT NOT NULL,
  task TEXT REFERENCES task (id),
  late_task TEXT REFERENCES task (id),
  kind TEXT NOT NULL CHECK (kind IN ('around', 'turn')),
  started INTEGER NOT NULL,
  ended INTEGER NOT NULL,
  latitude REAL NOT NULL CHECK (latitude BETWEEN -90 AND 90),
  longitude REAL NOT NULL CHECK (longitude BETWEEN -180 AND 180),
  sectors INTEGER NOT NULL CHECK (sectors > 0),
  filled INTEGER NOT NULL CHECK (filled BETWEEN 0 AND sectors),
  complete INTEGER NOT NULL CHECK (complete IN (0, 1)),
  simulated INTEGER NOT NULL CHECK (simulated IN (0, 1)),
  delivered INTEGER NOT NULL,
  deleted INTEGER,
  deleted_reason TEXT,
  hidden INTEGER,
  CHECK ((deleted IS NULL) = (deleted_reason IS NULL))
) STRICT;

CREATE INDEX frame_set_by_task ON frame_set (agency, task);

CREATE INDEX frame_set_late ON frame_set (agency, late_task) WHERE late_task IS NOT NULL;

CREATE TABLE inspector_told (
  agency TEXT NOT NULL REFERENCES agency (agency),
  inspector TEXT NOT NULL,
  number INTEGER NOT NULL,
  PRIMARY KEY (agency, inspector)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER answer_is_judged AFTER INSERT ON item_answer BEGIN INSERT INTO task_to_judge (agency, task, fresh)
  SELECT agency, task, 0 FROM task_items WHERE task_items.task = NEW.task LIMIT 1
  ON CONFLICT DO UPDATE SET fresh = 0; END;

CREATE TRIGGER item_answer_is_never_changed BEFORE UPDATE ON item_answer
  BEGIN SELECT RAISE(ABORT, 'an answer is never changed'); END;

CREATE TABLE item_answer (
  id TEXT PRIMARY KEY,
  agency TEXT NOT NULL,
  inspector TEXT NOT NULL,
  task TEXT NOT NULL REFERENCES task (id),
  revision INTEGER,
  item TEXT NOT NULL,
  answered INTEGER NOT NULL,
  received INTEGER NOT NULL,
  late INTEGER NOT NULL CHECK (late IN (0, 1)),
  answer TEXT NOT NULL CHECK (json_valid(answer))
) STRICT;

CREATE INDEX item_answer_by_task ON item_answer (agency, task, late, item, answered);

CREATE TRIGGER item_template_is_never_changed BEFORE UPDATE ON item_template
  BEGIN SELECT RAISE(ABORT, 'a version of a template is never changed'); END;

CREATE TRIGGER item_template_is_never_deleted BEFORE DELETE ON item_template
  BEGIN SELECT RAISE(ABORT, 'a version of a template is never deleted'); END;

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

CREATE INDEX item_value_by_task ON item_value (agency, task, item, value);

CREATE TRIGGER item_verdict_is_never_changed BEFORE UPDATE ON item_verdict
  BEGIN SELECT RAISE(ABORT, 'a verdict is never changed'); END;

CREATE TRIGGER verdict_is_judged AFTER INSERT ON item_verdict BEGIN INSERT INTO task_to_judge (agency, task, fresh)
  SELECT agency, task, 0 FROM task_items WHERE task_items.task = NEW.task LIMIT 1
  ON CONFLICT DO UPDATE SET fresh = 0; END;

CREATE TABLE item_verdict (
  agency TEXT NOT NULL,
  task TEXT NOT NULL REFERENCES task (id),
  decision TEXT NOT NULL,
  item TEXT NOT NULL,
  returned TEXT,
  judged TEXT NOT NULL CHECK (json_valid(judged)), marks TEXT CHECK (marks IS NULL OR json_valid(marks)),
  PRIMARY KEY (task, decision, item)
) STRICT, WITHOUT ROWID;

CREATE INDEX item_verdict_by_decision ON item_verdict (decision, item);

CREATE TRIGGER late_note_is_never_changed BEFORE UPDATE ON late_note
  BEGIN SELECT RAISE(ABORT, 'a late note is never changed'); END;

CREATE TABLE late_note (
  id TEXT PRIMARY KEY,
  agency TEXT NOT NULL,
  inspector TEXT NOT NULL,
  task TEXT NOT NULL REFERENCES task (id),
  photo TEXT REFERENCES photo (id),
  text TEXT NOT NULL,
  received INTEGER NOT NULL
) STRICT;

CREATE INDEX late_note_by_task ON late_note (agency, task, received);

CREATE TABLE likeness (
  agency TEXT NOT NULL,
  block INTEGER NOT NULL,
  photos BLOB NOT NULL,
  likenesses BLOB NOT NULL CHECK (length(likenesses) % 24 = 0),
  PRIMARY KEY (agency, block),
  CHECK (length(photos) / 36 = length(likenesses) / 24)
) STRICT;

CREATE TRIGGER link_is_never_changed BEFORE UPDATE ON link
  WHEN OLD.record IS NOT NULL OR NEW.jws <> OLD.jws
  BEGIN SELECT RAISE(ABORT, 'a link is never changed'); END;

CREATE TRIGGER link_is_never_deleted BEFORE DELETE ON link
  BEGIN SELECT RAISE(ABORT, 'a link is never deleted'); END;

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

CREATE INDEX link_by_deleted ON link (agency, json_extract(record, '$.deletion.id'))
  WHERE kind = 'deletion';

CREATE INDEX link_by_file ON link (agency, file_digest) WHERE file_digest IS NOT NULL;

CREATE INDEX link_by_id ON link (agency, id);

CREATE INDEX link_by_place ON link (key, sequence);

CREATE INDEX link_by_raw ON link (agency, raw_digest) WHERE raw_digest IS NOT NULL;

CREATE INDEX link_by_task ON link (agency, task);

CREATE INDEX link_whole ON link (agency, key) WHERE record IS NOT NULL;

CREATE TRIGGER log_is_never_changed BEFORE UPDATE ON log
  BEGIN SELECT RAISE(ABORT, 'the log is never changed'); END;

CREATE TRIGGER log_is_never_deleted BEFORE DELETE ON log
  BEGIN SELECT RAISE(ABORT, 'the log is never deleted'); END;

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

CREATE INDEX log_of_deliveries ON log (subject) WHERE action = 'delivery-received';

CREATE TABLE map_agency (
  number INTEGER PRIMARY KEY,
  agency TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE map_cell (
  agency TEXT NOT NULL,
  level INTEGER NOT NULL,
  x INTEGER NOT NULL,
  y INTEGER NOT NULL,
  year INTEGER NOT NULL,
  photos INTEGER NOT NULL CHECK (photos >= 0),
  tasks INTEGER NOT NULL CHECK (tasks >= 0),
  latitudes REAL NOT NULL,
  longitudes REAL NOT NULL,
  PRIMARY KEY (agency, level, x, y, year)
) STRICT, WITHOUT ROWID;

CREATE TABLE parcel (
  number INTEGER PRIMARY KEY,
  agency TEXT NOT NULL REFERENCES agency (agency),
  identifier TEXT NOT NULL CHECK (identifier <> ''),
  revision INTEGER NOT NULL CHECK (revision >= 1),
  imported INTEGER NOT NULL,
  name TEXT,
  crop TEXT,
  type TEXT,
  area REAL CHECK (area > 0),
  determined INTEGER,
  outline TEXT NOT NULL CHECK (json_valid(outline)),
  UNIQUE (agency, identifier)
) STRICT;

CREATE VIRTUAL TABLE "parcel_place" USING rtree (
  number, west, east, south, north, least_agency, most_agency, +points INTEGER);

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

CREATE TABLE phone_login (
  agency TEXT NOT NULL,
  login TEXT NOT NULL REFERENCES person (login),
  network TEXT NOT NULL,
  began INTEGER NOT NULL,
  PRIMARY KEY (agency, login, network)
) STRICT, WITHOUT ROWID;

CREATE TABLE phone_number (
  number INTEGER PRIMARY KEY CHECK (number BETWEEN 1 AND 9007199254740991),
  agency TEXT NOT NULL REFERENCES agency (agency),
  kind TEXT NOT NULL CHECK (kind IN ('user', 'task', 'photo', 'track')),
  subject TEXT NOT NULL,
  UNIQUE (agency, kind, subject)
) STRICT;

CREATE TRIGGER phone_photo_is_never_changed BEFORE UPDATE ON phone_photo
  BEGIN SELECT RAISE(ABORT, 'what a phone sent is never changed'); END;

CREATE TABLE phone_photo (
  photo TEXT PRIMARY KEY REFERENCES photo (id),
  agency TEXT NOT NULL,
  inspector TEXT NOT NULL,
  file_digest TEXT NOT NULL,
  user_number TEXT NOT NULL,
  created TEXT,
  digest TEXT,
  digest_holds INTEGER CHECK (digest_holds IN (0, 1)),
  fields TEXT NOT NULL CHECK (json_valid(fields)),
  received INTEGER NOT NULL
) STRICT;

CREATE INDEX phone_photo_by_digest ON phone_photo (agency, inspector, digest)
  WHERE digest IS NOT NULL;

CREATE UNIQUE INDEX phone_photo_once
  ON phone_photo (agency, inspector, file_digest, coalesce(created, ''));

CREATE TABLE phone_service (
  agency TEXT PRIMARY KEY REFERENCES agency (agency),
  prefix_digest TEXT UNIQUE,
  basic_login TEXT UNIQUE,
  basic_password TEXT,
  networks TEXT NOT NULL CHECK (json_valid(networks)),
  requests_per_second REAL NOT NULL CHECK (requests_per_second > 0),
  request_burst REAL NOT NULL CHECK (request_burst >= 1),
  logins_per_second REAL NOT NULL CHECK (logins_per_second > 0),
  login_burst REAL NOT NULL CHECK (login_burst >= 1),
  login_seconds REAL NOT NULL CHECK (login_seconds > 0),
  network_bits_4 INTEGER NOT NULL CHECK (network_bits_4 BETWEEN 0 AND 32),
  network_bits_6 INTEGER NOT NULL CHECK (network_bits_6 BETWEEN 0 AND 128),
  zone TEXT NOT NULL,
  changed INTEGER NOT NULL,
  CHECK ((basic_login IS NULL) = (basic_password IS NULL))
) STRICT;

CREATE TRIGGER phone_track_is_never_changed BEFORE UPDATE ON phone_track
  BEGIN SELECT RAISE(ABORT, 'what a phone sent is never changed'); END;

CREATE TABLE phone_track (
  track TEXT PRIMARY KEY REFERENCES track (id),
  agency TEXT NOT NULL,
  inspector TEXT NOT NULL,
  content_digest TEXT NOT NULL,
  fields TEXT NOT NULL CHECK (json_valid(fields)),
  points TEXT NOT NULL CHECK (json_valid(points)),
  received INTEGER NOT NULL,
  UNIQUE (agency, inspector, content_digest)
) STRICT;

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

CREATE TRIGGER photo_is_counted AFTER INSERT ON photo
  WHEN NEW.task IS NOT NULL AND NEW.deleted IS NULL
  BEGIN INSERT INTO task_tally (agency, task, photos, unchecked, contradicted)
    VALUES (NEW.agency, NEW.task, 1, NEW.verdict IS NULL, NEW.contradicted)
    ON CONFLICT DO UPDATE SET photos = photos + 1, unchecked = unchecked + (NEW.verdict IS NULL),
      contradicted = contradicted + NEW.contradicted; END;

CREATE TRIGGER photo_is_counted_anew AFTER UPDATE OF task, deleted, verdict, contradicted ON photo
  BEGIN
    UPDATE task_tally SET photos = photos - 1, unchecked = unchecked - (OLD.verdict IS NULL),
      contradicted = contradicted - OLD.contradicted
      WHERE OLD.deleted IS NULL AND agency = OLD.agency AND task = OLD.task;
    INSERT INTO task_tally (agency, task, photos, unchecked, contradicted)
      SELECT NEW.agency, NEW.task, 1, NEW.verdict IS NULL, NEW.contradicted
      WHERE NEW.task IS NOT NULL AND NEW.deleted IS NULL
      ON CONFLICT DO UPDATE SET photos = photos + 1, unchecked = unchecked + (NEW.verdict IS NULL),
        contradicted = contradicted + NEW.contradicted;
  END;

CREATE TRIGGER photo_is_judged AFTER INSERT ON photo WHEN NEW.task IS NOT NULL
  BEGIN INSERT INTO task_to_judge (agency, task, fresh)
  SELECT agency, task, 0 FROM task_items WHERE task_items.task = NEW.task LIMIT 1
  ON CONFLICT DO UPDATE SET fresh = 0; END;

CREATE TRIGGER photo_is_judged_anew AFTER UPDATE OF task, deleted, item ON photo
  BEGIN INSERT INTO task_to_judge (agency, task, fresh)
  SELECT agency, task, 0 FROM task_items WHERE task_items.task = OLD.task LIMIT 1
  ON CONFLICT DO UPDATE SET fresh = 0; INSERT INTO task_to_judge (agency, task, fresh)
  SELECT agency, task, 0 FROM task_items WHERE task_items.task = NEW.task LIMIT 1
  ON CONFLICT DO UPDATE SET fresh = 0; END;

CREATE TRIGGER photo_is_judged_when_moved AFTER UPDATE OF office_item ON photo
  BEGIN INSERT INTO task_to_judge (agency, task, fresh)
  SELECT agency, task, 0 FROM task_items WHERE task_items.task = NEW.task LIMIT 1
  ON CONFLICT DO UPDATE SET fresh = 0; END;

CREATE TABLE photo (
  id TEXT PRIMARY KEY,
  agency TEXT NOT NULL,
  inspector TEXT NOT NULL,
  task TEXT REFERENCES task (id),
  origin TEXT NOT NULL CHECK (origin IN ('camera', 'imported', 'egnss4cap')),
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
  deleted_reason TEXT, contradicted INTEGER NOT NULL DEFAULT 0 CHECK (contradicted IN (0, 1)), assigned INTEGER, hidden INTEGER, late_task TEXT REFERENCES task (id), item TEXT, office_item TEXT
  CHECK (office_item IS NULL OR (item IS NULL AND task IS NOT NULL)),
  CHECK ((deleted IS NULL) = (deleted_reason IS NULL))
) STRICT;

CREATE INDEX photo_alone ON photo (agency, hidden, device_time DESC, id DESC, inspector, deleted)
  WHERE task IS NULL;

CREATE INDEX photo_by_image ON photo (agency, image_digest);

CREATE INDEX photo_by_task ON photo (agency, task, deleted, verdict, id);

CREATE INDEX photo_late ON photo (agency, late_task) WHERE late_task IS NOT NULL;

CREATE INDEX photo_unexamined ON photo (agency) WHERE verdict IS NULL;

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

CREATE VIRTUAL TABLE "photo_place" USING rtree (
  number, west, east, south, north, least_year, most_year, +photo TEXT);

CREATE TABLE photo_point (
  number INTEGER PRIMARY KEY,
  id TEXT NOT NULL,
  agency TEXT NOT NULL,
  code TEXT,
  name TEXT,
  parcel TEXT,
  photo TEXT NOT NULL,
  digest TEXT NOT NULL,
  taken INTEGER NOT NULL,
  width INTEGER NOT NULL,
  height INTEGER NOT NULL,
  latitude REAL NOT NULL CHECK (latitude BETWEEN -90 AND 90),
  longitude REAL NOT NULL CHECK (longitude BETWEEN -180 AND 180),
  uncertainty_95 REAL,
  quaternion_w REAL,
  quaternion_x REAL,
  quaternion_y REAL,
  quaternion_z REAL,
  screen INTEGER,
  azimuth REAL,
  elevation REAL,
  roll REAL,
  azimuth_accuracy REAL,
  attitude_source TEXT,
  view_across REAL NOT NULL,
  view_along REAL NOT NULL,
  view_source TEXT NOT NULL,
  pose TEXT NOT NULL CHECK (pose IN ('measured', 'estimated')),
  footing TEXT,
  footing_digest TEXT,
  subject_latitude REAL,
  subject_longitude REAL,
  maker TEXT NOT NULL,
  made INTEGER NOT NULL, withdrawn INTEGER,
  UNIQUE (id),
  UNIQUE (agency, code)
) STRICT;

CREATE INDEX photo_point_by_made ON photo_point (agency, made DESC, id DESC);

CREATE INDEX photo_point_by_photo ON photo_point (agency, photo);

CREATE INDEX photo_point_withdrawn ON photo_point (agency, made DESC, id DESC)
  WHERE withdrawn IS NOT NULL;

CREATE VIRTUAL TABLE photo_point_place USING rtree (
  number, west, east, south, north, least_agency, most_agency);

CREATE TABLE photo_point_reason (
  task TEXT NOT NULL REFERENCES task (id),
  point TEXT NOT NULL,
  agency TEXT NOT NULL,
  text TEXT NOT NULL,
  PRIMARY KEY (task, point)
) STRICT;

CREATE TABLE photo_repeat (
  photo TEXT PRIMARY KEY REFERENCES photo (id),
  agency TEXT NOT NULL,
  point TEXT NOT NULL,
  taken INTEGER NOT NULL,
  digest TEXT NOT NULL,
  claims TEXT NOT NULL CHECK (json_valid(claims)),
  state TEXT CHECK (state IN ('displaced', 'unlike', 'failed')),
  inliers INTEGER,
  displacement REAL CHECK (displacement >= 0),
  measured INTEGER
) STRICT;

CREATE INDEX photo_repeat_by_point ON photo_repeat (agency, point, taken);

CREATE INDEX photo_repeat_unmeasured ON photo_repeat (agency) WHERE state IS NULL;

CREATE TRIGGER policy_is_never_changed BEFORE UPDATE ON policy
  BEGIN SELECT RAISE(ABORT, 'a policy is never changed'); END;

CREATE TRIGGER policy_is_never_deleted BEFORE DELETE ON policy
  BEGIN SELECT RAISE(ABORT, 'a policy is never deleted'); END;

CREATE TABLE policy (
  agency TEXT NOT NULL REFERENCES agency (agency),
  revision INTEGER NOT NULL CHECK (revision >= 1),
  issued INTEGER NOT NULL,
  person TEXT NOT NULL,
  jws TEXT NOT NULL,
  PRIMARY KEY (agency, revision)
) STRICT;

CREATE TABLE raw_window (
  photo TEXT PRIMARY KEY REFERENCES photo (id),
  agency TEXT NOT NULL,
  key TEXT NOT NULL,
  first INTEGER NOT NULL,
  last INTEGER NOT NULL,
  epochs BLOB NOT NULL CHECK (length(epochs) > 0 AND length(epochs) % 8 = 0)
) STRICT;

CREATE INDEX raw_window_by_time ON raw_window (agency, last, first);

CREATE TABLE return_reason (
  agency TEXT NOT NULL REFERENCES agency (agency),
  number INTEGER NOT NULL CHECK (number >= 1),
  text TEXT NOT NULL,
  PRIMARY KEY (agency, number)
) STRICT, WITHOUT ROWID;

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

CREATE TABLE standalone_tally (
  agency TEXT NOT NULL,
  inspector TEXT NOT NULL,
  hidden INTEGER NOT NULL CHECK (hidden IN (0, 1)),
  photos INTEGER NOT NULL CHECK (photos >= 0),
  PRIMARY KEY (agency, inspector, hidden)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER progress_is_over AFTER UPDATE OF inspector, state ON task
  WHEN NEW.inspector <> OLD.inspector OR NEW.state <> 'open' BEGIN
  DELETE FROM task_progress WHERE agency = NEW.agency AND task = NEW.id; END;

CREATE TRIGGER task_change_of_insert AFTER INSERT ON task
  BEGIN INSERT INTO task_change (agency, inspector, task)
    VALUES (NEW.agency, NEW.inspector, NEW.id); END;

CREATE TRIGGER task_change_of_update AFTER UPDATE ON task
  BEGIN INSERT INTO task_change (agency, inspector, task)
    VALUES (NEW.agency, NEW.inspector, NEW.id); END;

CREATE TRIGGER task_is_judged_anew
  AFTER UPDATE OF inspector, state, places, parcel_identifier ON task BEGIN
  INSERT INTO task_to_judge (agency, task, fresh)
  SELECT agency, task, 0 FROM task_items WHERE task_items.task = NEW.id LIMIT 1
  ON CONFLICT DO UPDATE SET fresh = 0; END;

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
  parcel_rings TEXT CHECK (parcel_rings IS NULL OR json_valid(parcel_rings)), repeats TEXT CHECK (repeats IS NULL OR json_valid(repeats)), around_sectors INTEGER CHECK (around_sectors BETWEEN 4 AND 120), turn_views INTEGER CHECK (turn_views IN (4, 8, 12)), places TEXT CHECK (places IS NULL OR json_valid(places)), attachments TEXT CHECK (attachments IS NULL OR json_valid(attachments)),
  CHECK ((parcel_identifier IS NULL) = (parcel_rings IS NULL))
) STRICT;

CREATE INDEX task_by_agency ON task (agency, state, inspector);

CREATE INDEX task_by_created ON task (agency, created, id,
  state, inspector, type);

CREATE INDEX task_by_due ON task (agency, (due IS NULL), coalesce(due, 0), id,
  state, inspector, type);

CREATE INDEX task_by_due_late ON task (agency, (due IS NULL), coalesce(due, 0) DESC, id DESC,
  state, inspector, type);

CREATE INDEX task_by_identifier ON task (agency, id, state, inspector, type);

CREATE INDEX task_by_inspector ON task (agency, inspector, created DESC, id,
  state, type);

CREATE INDEX task_by_name ON task (agency, name COLLATE NOCASE, id,
  state, inspector, type);

CREATE INDEX task_by_parcel ON task (agency, parcel_identifier)
  WHERE parcel_identifier IS NOT NULL;

CREATE INDEX task_by_review ON task (agency, (state <> 'dataProvided'), created DESC, id,
  state, inspector, type);

CREATE INDEX task_by_type ON task (agency, type);

CREATE TABLE task_cell (
  agency TEXT NOT NULL,
  task TEXT NOT NULL REFERENCES task (id),
  x INTEGER NOT NULL,
  y INTEGER NOT NULL,
  photos INTEGER NOT NULL CHECK (photos >= 0),
  tasks INTEGER NOT NULL CHECK (tasks >= 0),
  latitudes REAL NOT NULL,
  longitudes REAL NOT NULL,
  PRIMARY KEY (agency, task, x, y)
) STRICT, WITHOUT ROWID;

CREATE INDEX task_cell_by_place
  ON task_cell (agency, x, y, task, photos, tasks, latitudes, longitudes);

CREATE TABLE task_change (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  agency TEXT NOT NULL,
  inspector TEXT NOT NULL,
  task TEXT NOT NULL REFERENCES task (id),
  mark TEXT NOT NULL DEFAULT (lower(hex(randomblob(8))))
) STRICT;

CREATE INDEX task_change_by_inspector ON task_change (agency, inspector, number);

CREATE INDEX task_change_by_task ON task_change (task, number);

CREATE TRIGGER order_is_judged AFTER INSERT ON task_items BEGIN
  INSERT INTO task_to_judge (agency, task, fresh) VALUES (NEW.agency, NEW.task, NEW.revision = 1)
  ON CONFLICT DO UPDATE SET fresh = 0; END;

CREATE TRIGGER order_is_judged_anew AFTER UPDATE ON task_items BEGIN
  INSERT INTO task_to_judge (agency, task, fresh)
  SELECT agency, task, 0 FROM task_items WHERE task_items.task = NEW.task LIMIT 1
  ON CONFLICT DO UPDATE SET fresh = 0; END;

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
  replaced INTEGER NOT NULL, repeats TEXT CHECK (repeats IS NULL OR json_valid(repeats)), around_sectors INTEGER
  CHECK (around_sectors BETWEEN 4 AND 120), turn_views INTEGER CHECK (turn_views IN (4, 8, 12)), places TEXT CHECK (places IS NULL OR json_valid(places)), attachments TEXT
  CHECK (attachments IS NULL OR json_valid(attachments)),
  PRIMARY KEY (task, revision)
) STRICT;

CREATE TABLE task_progress (
  agency TEXT NOT NULL,
  task TEXT NOT NULL REFERENCES task (id),
  answered INTEGER NOT NULL CHECK (answered BETWEEN 0 AND asked),
  asked INTEGER NOT NULL CHECK (asked >= 0),
  PRIMARY KEY (agency, task)
) STRICT, WITHOUT ROWID;

CREATE TABLE task_reference (
  agency TEXT NOT NULL,
  reference TEXT NOT NULL CHECK (reference <> ''),
  task TEXT NOT NULL REFERENCES task (id),
  PRIMARY KEY (agency, reference)
) STRICT, WITHOUT ROWID;

CREATE INDEX task_reference_by_task ON task_reference (task);

CREATE TABLE task_standing (
  agency TEXT NOT NULL,
  task TEXT NOT NULL REFERENCES task (id),
  asked INTEGER NOT NULL CHECK (asked >= 0),
  answered INTEGER NOT NULL CHECK (answered BETWEEN 0 AND asked),
  missing INTEGER NOT NULL CHECK (missing >= 0),
  impossible INTEGER NOT NULL CHECK (impossible >= 0),
  PRIMARY KEY (agency, task)
) STRICT, WITHOUT ROWID;

CREATE INDEX task_with_impossible ON task_standing (agency, task) WHERE impossible > 0;

CREATE INDEX task_with_missing ON task_standing (agency, task) WHERE missing > 0;

CREATE TABLE task_tally (
  agency TEXT NOT NULL,
  task TEXT NOT NULL REFERENCES task (id),
  photos INTEGER NOT NULL,
  unchecked INTEGER NOT NULL,
  contradicted INTEGER NOT NULL,
  PRIMARY KEY (agency, task)
) STRICT, WITHOUT ROWID;

CREATE INDEX task_contradicted ON task_tally (agency, task) WHERE contradicted > 0;

CREATE INDEX task_unchecked ON task_tally (agency, task) WHERE unchecked > 0;

CREATE TABLE task_to_judge (
  agency TEXT NOT NULL,
  task TEXT NOT NULL REFERENCES task (id),
  fresh INTEGER NOT NULL CHECK (fresh IN (0, 1)),
  PRIMARY KEY (agency, task)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER task_change_of_transition AFTER INSERT ON task_transition
  BEGIN INSERT INTO task_change (agency, inspector, task)
    SELECT agency, inspector, id FROM task WHERE id = NEW.task; END;

CREATE TRIGGER task_transition_is_never_changed BEFORE UPDATE ON task_transition
  BEGIN SELECT RAISE(ABORT, 'a transition is never changed'); END;

CREATE TRIGGER task_transition_is_never_deleted BEFORE DELETE ON task_transition
  BEGIN SELECT RAISE(ABORT, 'a transition is never deleted'); END;

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
  conflict TEXT, held_until INTEGER,
  UNIQUE (task, number)
) STRICT;

CREATE INDEX task_transition_held ON task_transition (agency, inspector, held_until)
  WHERE held_until IS NOT NULL;

CREATE TABLE "task_year_cell" (
  agency TEXT NOT NULL,
  task TEXT NOT NULL REFERENCES task (id),
  x INTEGER NOT NULL,
  y INTEGER NOT NULL,
  year INTEGER NOT NULL,
  photos INTEGER NOT NULL CHECK (photos >= 0),
  tasks INTEGER NOT NULL CHECK (tasks >= 0),
  latitudes REAL NOT NULL,
  longitudes REAL NOT NULL,
  PRIMARY KEY (agency, task, x, y, year)
) STRICT, WITHOUT ROWID;

CREATE INDEX task_year_cell_by_place
  ON task_year_cell (agency, x, y, task, year, photos, tasks, latitudes, longitudes);

CREATE TRIGGER track_is_judged AFTER INSERT ON track WHEN NEW.task IS NOT NULL
  BEGIN INSERT INTO task_to_judge (agency, task, fresh)
  SELECT agency, task, 0 FROM task_items WHERE task_items.task = NEW.task LIMIT 1
  ON CONFLICT DO UPDATE SET fresh = 0; END;

CREATE TRIGGER track_is_judged_anew AFTER UPDATE OF task, deleted, hidden ON track
  BEGIN INSERT INTO task_to_judge (agency, task, fresh)
  SELECT agency, task, 0 FROM task_items WHERE task_items.task = OLD.task LIMIT 1
  ON CONFLICT DO UPDATE SET fresh = 0; INSERT INTO task_to_judge (agency, task, fresh)
  SELECT agency, task, 0 FROM task_items WHERE task_items.task = NEW.task LIMIT 1
  ON CONFLICT DO UPDATE SET fresh = 0; END;

CREATE TABLE track (
  id TEXT PRIMARY KEY,
  agency TEXT NOT NULL,
  inspector TEXT NOT NULL,
  task TEXT REFERENCES task (id),
  name TEXT NOT NULL,
  started INTEGER NOT NULL,
  delivered INTEGER NOT NULL,
  deleted INTEGER,
  deleted_reason TEXT, hidden INTEGER, late_task TEXT REFERENCES task (id), points INTEGER CHECK (points >= 0), length REAL CHECK (length >= 0), duration REAL, area REAL CHECK (area >= 0), area_uncertainty REAL CHECK (area_uncertainty >= 0),
  CHECK ((deleted IS NULL) = (deleted_reason IS NULL))
) STRICT;

CREATE INDEX track_by_task ON track (agency, task);

CREATE INDEX track_late ON track (agency, late_task) WHERE late_task IS NOT NULL;

CREATE TABLE transmitter (
  agency TEXT NOT NULL,
  transmitter TEXT NOT NULL,
  photo TEXT NOT NULL REFERENCES photo (id),
  key TEXT NOT NULL,
  latitude REAL NOT NULL CHECK (latitude BETWEEN -90 AND 90),
  longitude REAL NOT NULL CHECK (longitude BETWEEN -180 AND 180),
  PRIMARY KEY (agency, transmitter, photo)
) STRICT, WITHOUT ROWID;
