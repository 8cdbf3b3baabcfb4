import Evidence
import Geodesy
import Inspection
import Store
import Sync
import TimeAndText

/// Keeps an agency's enrolled devices.
public protocol DeviceRecords {
  /// Reads the agency's devices, or one inspector's, the newest first.
  func devices(of inspector: String?) throws -> [EnrolledDevice]
  /// Finds the device with a key; nil if this agency has none.
  func device(withKey key: String) throws -> EnrolledDevice?
  /// Adds an enrolled device.
  func insert(_ device: EnrolledDevice) throws
  /// Keeps a device's certificates, the newest first.
  func setCertificate(_ pem: String, deviceWithKey key: String) throws
  /// Keeps when a device signed out, or that it signed in again (nil).
  func setSignedOut(_ time: DeviceTime?, deviceWithKey key: String) throws
  /// Bars a device from delivering. Earlier deliveries stay valid.
  func revokeDevice(withKey key: String, at time: DeviceTime, reason: String) throws
}
