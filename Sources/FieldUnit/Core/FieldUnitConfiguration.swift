import Foundation
import Inspection
import Positioning
import Receivers

/// The settings with which a field unit is put together.
public struct FieldUnitConfiguration: Sendable {
  /// The data directory; the field unit's files are in `field/` below it.
  public var dataDirectory: URL
  /// The inspector who works with it.
  public var person: Person
  /// Name and version of the program, as records carry them.
  public var software: String
  /// The gate's limits.
  public var gate = GatePolicy()
  /// The rules for taking samples.
  public var sampler = SamplerPolicy()
  /// Seconds from the last sample to the shutter.
  public var countdownSeconds = 5.0
  /// The source of the radio surroundings if the agency has turned them on; nil for this machine's
  /// modem and Wi-Fi.
  public var radio: (any RadioListening)?
  /// The number of files that are sent at once: while the office makes one durable, the next one
  /// arrives.
  public var parallelUploads = 3
  /// The address from which orbits are fetched once a day, as `OrbitShelf.checkedAddress` returns
  /// it; nil for none.
  public var orbitsAddress: String?
  /// True if everything is a demonstration: every record then says so.
  public var isDemonstration = false

  /// Creates a configuration with everything else at its default.
  public init(dataDirectory: URL, person: Person, software: String) {
    self.dataDirectory = dataDirectory
    self.person = person
    self.software = software
  }
}
