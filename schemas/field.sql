CREATE TRIGGER batch_message_is_never_changed BEFORE UPDATE OF message ON batch
  BEGIN SELECT RAISE(ABORT, 'a batch is never changed'); END;

CREATE TABLE batch (
  id TEXT PRIMARY KEY,
  agency TEXT NOT NULL,
  inspector TEXT NOT NULL,
  key TEXT NOT NULL,
  head INTEGER NOT NULL,
  made INTEGER NOT NULL,
  message BLOB NOT NULL,
  delivered INTEGER,
  receipt TEXT, forgotten INTEGER, office TEXT, tried INTEGER NOT NULL DEFAULT 0 CHECK (tried IN (0, 1)),
  CHECK ((delivered IS NULL) = (receipt IS NULL))
) STRICT;

CREATE TABLE delivered_record (
  id TEXT PRIMARY KEY REFERENCES link (id),
  agency TEXT NOT NULL,
  inspector TEXT NOT NULL,
  batch TEXT NOT NULL REFERENCES batch (id)
) STRICT;

CREATE INDEX delivered_record_by_batch ON delivered_record (batch);

CREATE TABLE frame_set (
  id TEXT PRIMARY KEY REFERENCES link (id),
  agency TEXT NOT NULL,
  inspector TEXT NOT NULL,
  task TEXT REFERENCES task (id),
  kind TEXT NOT NULL CHECK (kind IN ('around', 'turn')),
  started INTEGER NOT NULL,
  ended INTEGER NOT NULL,
  latitude REAL NOT NULL CHECK (latitude BETWEEN -90 AND 90),
  longitude REAL NOT NULL CHECK (longitude BETWEEN -180 AND 180),
  sectors INTEGER NOT NULL CHECK (sectors > 0),
  filled INTEGER NOT NULL CHECK (filled BETWEEN 1 AND sectors),
  complete INTEGER NOT NULL CHECK (complete IN (0, 1)),
  bytes INTEGER NOT NULL CHECK (bytes > 0),
  simulated INTEGER NOT NULL CHECK (simulated IN (0, 1)),
  sent INTEGER,
  delivered INTEGER,
  confirmed INTEGER,
  removed INTEGER,
  deleted INTEGER,
  deleted_reason TEXT,
  CHECK (delivered IS NULL OR sent IS NOT NULL),
  CHECK (deleted IS NULL OR sent IS NULL)
) STRICT;

CREATE INDEX frame_set_by_person ON frame_set (agency, inspector, task);

CREATE TABLE identity (
  agency TEXT NOT NULL,
  inspector TEXT NOT NULL,
  device TEXT NOT NULL,
  key TEXT NOT NULL,
  created INTEGER NOT NULL,
  PRIMARY KEY (agency, inspector)
) STRICT;

CREATE TABLE item_answer (
  task TEXT NOT NULL REFERENCES task (id),
  item TEXT NOT NULL,
  agency TEXT NOT NULL,
  inspector TEXT NOT NULL,
  record TEXT NOT NULL REFERENCES link (id),
  answered INTEGER NOT NULL,
  answer TEXT NOT NULL CHECK (json_valid(answer)),
  PRIMARY KEY (task, item)
) STRICT, WITHOUT ROWID;

CREATE TABLE item_verdict (
  task TEXT PRIMARY KEY REFERENCES task (id),
  agency TEXT NOT NULL,
  inspector TEXT NOT NULL,
  verdicts TEXT NOT NULL CHECK (json_valid(verdicts))
) STRICT, WITHOUT ROWID;

CREATE TRIGGER link_is_never_changed BEFORE UPDATE ON link
  BEGIN SELECT RAISE(ABORT, 'a link is never changed'); END;

CREATE TRIGGER link_is_never_deleted BEFORE DELETE ON link
  BEGIN SELECT RAISE(ABORT, 'a link is never deleted'); END;

CREATE TABLE "link" (
  key TEXT NOT NULL,
  sequence INTEGER NOT NULL CHECK (sequence >= 1),
  agency TEXT NOT NULL,
  inspector TEXT NOT NULL,
  id TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL CHECK (kind IN
    ('capture', 'track', 'note', 'transition', 'deletion', 'around', 'turn', 'answer')),
  record TEXT NOT NULL CHECK (json_valid(record)),
  record_digest TEXT NOT NULL,
  jws TEXT NOT NULL,
  jws_digest TEXT NOT NULL,
  file_digest TEXT,
  raw_digest TEXT,
  PRIMARY KEY (key, sequence)
) STRICT;

CREATE INDEX link_by_deleted ON link (json_extract(record, '$.deletion.id'));

CREATE INDEX link_by_noted_photo ON link (json_extract(record, '$.note.photo'));

CREATE INDEX link_by_task ON link (json_extract(record, '$.task.id'));

CREATE TABLE "outbox" (
  id TEXT PRIMARY KEY,
  agency TEXT NOT NULL,
  inspector TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('task', 'photo', 'track', 'note', 'set')),
  task TEXT REFERENCES task (id),
  whole TEXT NOT NULL,
  digest TEXT,
  bytes INTEGER NOT NULL CHECK (bytes >= 0),
  queued INTEGER NOT NULL,
  attempts INTEGER NOT NULL DEFAULT 0,
  begun INTEGER NOT NULL DEFAULT 0 CHECK (begun IN (0, 1)),
  last_answer TEXT,
  next_attempt INTEGER,
  batch TEXT REFERENCES batch (id),
  alone INTEGER NOT NULL DEFAULT 0 CHECK (alone IN (0, 1))
) STRICT;

CREATE INDEX outbox_by_batch ON outbox (batch);

CREATE INDEX outbox_by_whole ON outbox (agency, inspector, whole);

CREATE TABLE photo (
  id TEXT PRIMARY KEY REFERENCES link (id),
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
  deleted INTEGER,
  deleted_reason TEXT, confirmed INTEGER, removed INTEGER, item TEXT,
  CHECK (delivered IS NULL OR sent IS NOT NULL),
  CHECK (deleted IS NULL OR sent IS NULL)
) STRICT;

CREATE INDEX photo_by_person ON photo (agency, inspector, task);

CREATE TABLE photo_point (
  number INTEGER PRIMARY KEY,
  inspector TEXT NOT NULL,
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
  made INTEGER NOT NULL,
  waiting INTEGER NOT NULL CHECK (waiting IN (0, 1)),
  used INTEGER,
  UNIQUE (agency, inspector, id)
) STRICT;

CREATE INDEX photo_point_by_code ON photo_point (agency, inspector, code);

CREATE INDEX photo_point_by_photo ON photo_point (agency, inspector, photo);

CREATE VIRTUAL TABLE photo_point_place USING rtree (number, west, east, south, north);

CREATE TABLE photo_point_reason (
  task TEXT NOT NULL REFERENCES task (id),
  point TEXT NOT NULL,
  agency TEXT NOT NULL,
  inspector TEXT NOT NULL,
  text TEXT NOT NULL,
  PRIMARY KEY (task, point)
) STRICT;

CREATE TABLE photo_repeat (
  photo TEXT PRIMARY KEY REFERENCES photo (id),
  agency TEXT NOT NULL,
  inspector TEXT NOT NULL,
  point TEXT NOT NULL,
  digest TEXT NOT NULL,
  claims TEXT NOT NULL CHECK (json_valid(claims))
) STRICT;

CREATE TABLE setting (
  agency TEXT NOT NULL,
  inspector TEXT NOT NULL,
  name TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (agency, inspector, name)
) STRICT;

CREATE TABLE sign_in (
  agency TEXT NOT NULL,
  inspector TEXT NOT NULL,
  name TEXT,
  office TEXT NOT NULL,
  authority TEXT NOT NULL,
  token TEXT,
  time INTEGER NOT NULL,
  active INTEGER CHECK (active = 1), tls_certificate TEXT,
  PRIMARY KEY (agency, inspector),
  CHECK (active IS NULL OR token IS NOT NULL)
) STRICT;

CREATE UNIQUE INDEX sign_in_one_at_a_time ON sign_in (active);

CREATE TABLE task (
  id TEXT PRIMARY KEY,
  agency TEXT NOT NULL,
  inspector TEXT NOT NULL,
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

CREATE INDEX task_by_person ON task (agency, inspector, state);

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
  UNIQUE (task, number)
) STRICT;

CREATE TABLE track (
  id TEXT PRIMARY KEY,
  agency TEXT NOT NULL,
  inspector TEXT NOT NULL,
  task TEXT REFERENCES task (id),
  name TEXT NOT NULL CHECK (name <> ''),
  started INTEGER NOT NULL,
  ended INTEGER,
  simulated INTEGER NOT NULL CHECK (simulated IN (0, 1)),
  bytes INTEGER CHECK (bytes > 0),
  sent INTEGER,
  deleted INTEGER,
  deleted_reason TEXT, delivered INTEGER, confirmed INTEGER,
  CHECK (sent IS NULL OR ended IS NOT NULL),
  CHECK (deleted IS NULL OR sent IS NULL)
) STRICT;

CREATE INDEX track_by_person ON track (agency, inspector, task);

CREATE TABLE track_point (
  track TEXT NOT NULL REFERENCES track (id) ON DELETE CASCADE,
  number INTEGER NOT NULL CHECK (number >= 1),
  agency TEXT NOT NULL,
  inspector TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('recorded', 'vertex', 'centroid-vertex')),
  time_of_day INTEGER NOT NULL CHECK (time_of_day BETWEEN 0 AND 86400999),
  day INTEGER,
  latitude REAL NOT NULL CHECK (latitude BETWEEN -90 AND 90),
  longitude REAL NOT NULL CHECK (longitude BETWEEN -180 AND 180),
  ellipsoidal_height REAL,
  mean_sea_level_height REAL,
  uncertainty_95 REAL CHECK (uncertainty_95 > 0),
  gap_before TEXT, satellites_used INTEGER, horizontal_dilution REAL,
  PRIMARY KEY (track, number)
) STRICT;

CREATE TABLE transition_elsewhere (
  id TEXT PRIMARY KEY,
  agency TEXT NOT NULL,
  inspector TEXT NOT NULL,
  task TEXT NOT NULL REFERENCES task (id),
  action TEXT NOT NULL,
  from_state TEXT NOT NULL,
  to_state TEXT NOT NULL,
  person TEXT NOT NULL,
  role TEXT NOT NULL,
  time INTEGER NOT NULL,
  reason TEXT
) STRICT;

CREATE INDEX transition_elsewhere_by_task ON transition_elsewhere (task);
