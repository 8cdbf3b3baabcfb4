import Foundation
import Inspection
import Positioning
import Receivers

/// Everything that a field unit is told when it is put together.
public struct FieldUnitConfiguration: Sendable {
  /// The data directory; the field unit's files are in `field/` below it.
  public var dataDirectory: URL
  /// Who works with it.
  public var person: Person
  /// Name and version of the program, as records carry it.
  public var software: String
  /// The gate's limits.
  public var gate = GatePolicy()
  /// How samples are taken.
  public var sampler = SamplerPolicy()
  /// Seconds from the shutter to the picture.
  public var countdownSeconds = 5.0
  /// What hears the radio surroundings where the agency has turned that on; nil for this machine's
  /// modem and Wi-Fi.
  public var radio: (any RadioListening)?
  /// How many files travel at once: while the office makes one durable, the next one comes.
  public var parallelUploads = 3
  /// Where orbits are fetched from once a day, as `OrbitShelf.checkedAddress` takes it; nil for nowhere.
  public var orbitsAddress: String?
  /// Whether all of it is a demonstration: every record then says so.
  public var isDemonstration = false

  /// A configuration with everything else at its default.
  public init(dataDirectory: URL, person: Person, software: String) {
    self.dataDirectory = dataDirectory
    self.person = person
    self.software = software
  }
}
