/// The columns of the sets that an order asks for: the same at the field unit and at the office.
enum OrderedSetsDefinition {
  static let columns = """
    ALTER TABLE task ADD COLUMN around_sectors INTEGER CHECK (around_sectors BETWEEN 4 AND 120);
    ALTER TABLE task ADD COLUMN turn_views INTEGER CHECK (turn_views IN (4, 8, 12));
    ALTER TABLE task_order ADD COLUMN around_sectors INTEGER
      CHECK (around_sectors BETWEEN 4 AND 120);
    ALTER TABLE task_order ADD COLUMN turn_views INTEGER CHECK (turn_views IN (4, 8, 12));
    """
}
