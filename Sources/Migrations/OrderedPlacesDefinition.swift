/// The columns of the further parcels and the sections that an order names: the same at the field unit and
/// at the office.
enum OrderedPlacesDefinition {
  static let columns = """
    ALTER TABLE task ADD COLUMN places TEXT CHECK (places IS NULL OR json_valid(places));
    ALTER TABLE task_order ADD COLUMN places TEXT CHECK (places IS NULL OR json_valid(places));
    """
}
