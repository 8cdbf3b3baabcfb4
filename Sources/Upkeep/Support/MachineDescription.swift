import FieldUnit
import Foundation
import Glibc

/// A description of this machine as far as the system gives it, for the first page and for support.
package struct MachineDescription: Hashable, Sendable {
  /// Make and model of the device; nil if the system does not say.
  package var model: String?
  /// The system's name and version, and its kernel.
  package var system: String
  /// The processor's architecture, such as `aarch64`; nil if it is another than those known here.
  package var architecture: String?

  /// The machine that the program runs on; its description does not change while the program runs.
  package static let current = MachineDescription()

  package init(root: String = "") {
    func words(_ path: String) -> String? {
      guard let handle = FileHandle(forReadingAtPath: root + path) else { return nil }
      defer { try? handle.close() }
      guard let data = try? handle.read(upToCount: 16_384) else { return nil }
      let text = FieldLog.line(String(decoding: data.filter { $0 != 0 && $0 != 10 }, as: UTF8.self))
        .trimmingCharacters(in: .whitespaces)
      return text.isEmpty ? nil : String(text.prefix(120))
    }
    // Boards name themselves in their device tree, PCs in their firmware's tables.
    let maker = words("/sys/class/dmi/id/sys_vendor")
    let product = words("/sys/class/dmi/id/product_name")
    let inTables = [maker, product].compactMap(\.self).joined(separator: " ")
    model =
      words("/sys/firmware/devicetree/base/model") ?? (inTables.isEmpty ? nil : inTables)
    let release = (try? String(contentsOfFile: root + "/etc/os-release", encoding: .utf8)) ?? ""
    let line = release.split(separator: "\n").first { $0.hasPrefix("PRETTY_NAME=") }
    let name = line.map { $0.dropFirst(12).filter { $0 != "\"" } } ?? "Linux"
    system = [String(name.prefix(120)), words("/proc/sys/kernel/osrelease")].compactMap(\.self)
      .joined(separator: ", ")
    #if arch(arm64)
      architecture = "aarch64"
    #elseif arch(x86_64)
      architecture = "x86_64"
    #else
      architecture = nil
    #endif
  }

  /// The model, or else the architecture of the processor; nil if neither is known.
  package var device: String? { model ?? architecture }

  /// Returns true if the user who runs the program belongs to a group; nil if the system has no
  /// such group.
  package static func isMember(ofGroup name: String) -> Bool? {
    guard let entry = getgrnam(name) else { return nil }
    let wanted = entry.pointee.gr_gid
    if getuid() == 0 || getegid() == wanted { return true }
    var groups = [gid_t](repeating: 0, count: 1024)
    let count = getgroups(Int32(groups.count), &groups)
    return count > 0 && groups.prefix(Int(count)).contains(wanted)
  }

  /// True if there is a Bluetooth adapter, also one that is switched off.
  package static var hasBluetoothAdapter: Bool {
    let names = try? FileManager.default.contentsOfDirectory(atPath: "/sys/class/bluetooth")
    return names?.contains { $0.hasPrefix("hci") } ?? false
  }
}
