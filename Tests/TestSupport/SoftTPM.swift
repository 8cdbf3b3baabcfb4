import Foundation

/// A TPM 2.0 in software (swtpm) with a certificate of its maker, on a socket of its own.
public final class SoftTPM {
  /// True if its programs and the TPM software stack are installed.
  public static let isHere =
    ["swtpm", "swtpm_setup", "swtpm_localca"].allSatisfy { Program.tool($0) != nil }
    && !FileManager.default.isEmpty("/usr/lib", having: "libtss2-esys.so.0")

  /// The certificates of its maker: the root, and the issuer below it.
  public let makersCertificates: [String]
  /// The way to it, in the words of the TPM software stack.
  public let connection: String
  private let chip: Process

  /// Makes a TPM in a folder, which must be empty, and switches it on.
  public init(in folder: URL) throws {
    func path(_ name: String) -> String { folder.appendingPathComponent(name).path }
    for name in ["state", "ca"] {
      try FileManager.default.createDirectory(
        atPath: path(name), withIntermediateDirectories: true)
    }
    try """
    create_certs_tool = \(Program.tool("swtpm_localca") ?? "")
    create_certs_tool_config = \(path("ca.conf"))
    create_certs_tool_options = \(path("ca.options"))

    """.write(toFile: path("setup.conf"), atomically: true, encoding: .utf8)
    try """
    statedir = \(path("ca"))
    signingkey = \(path("ca/key.pem"))
    issuercert = \(path("ca/issuer.pem"))
    certserial = \(path("ca/serial"))

    """.write(toFile: path("ca.conf"), atomically: true, encoding: .utf8)
    try "--platform-manufacturer Fixture\n--platform-version 1\n--platform-model Field\n"
      .write(toFile: path("ca.options"), atomically: true, encoding: .utf8)
    let made = try Self.start(
      "swtpm_setup",
      [
        "--tpm2", "--tpmstate", path("state"), "--createek", "--create-ek-cert", "--config",
        path("setup.conf"),
      ])
    made.waitUntilExit()
    guard made.terminationStatus == 0 else { throw CocoaError(.executableNotLoadable) }
    makersCertificates = [path("ca/swtpm-localca-rootca-cert.pem"), path("ca/issuer.pem")]
    connection = "swtpm:path=\(path("tpm"))"
    chip = try Self.start(
      "swtpm",
      [
        "socket", "--tpm2", "--tpmstate", "dir=\(path("state"))", "--flags", "startup-clear",
        "--server", "type=unixio,path=\(path("tpm"))",
        "--ctrl", "type=unixio,path=\(path("tpm")).ctrl",
      ])
    // It listens a moment after it was started.
    for _ in 0..<2_000 where !FileManager.default.fileExists(atPath: path("tpm.ctrl")) {
      usleep(5_000)
    }
  }

  deinit { switchOff() }

  /// Switches it off: it answers nobody any more.
  public func switchOff() {
    guard chip.isRunning else { return }
    kill(chip.processIdentifier, SIGKILL)
    chip.waitUntilExit()
  }

  private static func start(_ tool: String, _ arguments: [String]) throws -> Process {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Program.tool(tool) ?? "/nowhere")
    process.arguments = arguments
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    return process
  }
}

extension FileManager {
  /// Returns true if neither a folder nor one directly below it has a file.
  fileprivate func isEmpty(_ folder: String, having name: String) -> Bool {
    let folders = (try? contentsOfDirectory(atPath: folder)) ?? []
    return !folders.contains { fileExists(atPath: "\(folder)/\($0)/\(name)") }
  }
}
