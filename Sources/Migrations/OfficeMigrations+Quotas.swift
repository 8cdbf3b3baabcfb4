extension OfficeMigrations {
  /// The bytes on disk that an agency's deliveries have taken, kept as a running total: a sum over
  /// a million photos for each chunk would cost more than the chunk. Earlier deliveries are counted
  /// by the sizes in the photos' records, each at most the largest file that the office accepts (64
  /// MiB).
  static let quotas = """
    CREATE TABLE agency_storage (
      agency TEXT PRIMARY KEY REFERENCES agency (agency),
      stored_bytes INTEGER NOT NULL DEFAULT 0 CHECK (stored_bytes >= 0),
      quota_bytes INTEGER CHECK (quota_bytes IS NULL OR quota_bytes >= 0)
    ) STRICT;
    INSERT INTO agency_storage (agency, stored_bytes)
      SELECT agency, (SELECT coalesce(sum(min(bytes, 67108864)), 0) FROM photo
        WHERE photo.agency = agency.agency AND photo.deleted IS NULL) FROM agency;
    CREATE TRIGGER agency_storage_of_insert AFTER INSERT ON agency
      BEGIN INSERT INTO agency_storage (agency) VALUES (NEW.agency); END;
    """
}
