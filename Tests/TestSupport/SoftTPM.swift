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
  private var number: pid_t?

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
    try Self.run(
      "swtpm_setup",
      [
        "--tpm2", "--tpmstate", path("state"), "--createek", "--create-ek-cert", "--config",
        path("setup.conf"),
      ])
    makersCertificates = [path("ca/swtpm-localca-rootca-cert.pem"), path("ca/issuer.pem")]
    connection = "swtpm:path=\(path("tpm"))"
    // It goes to the background once it listens.
    try Self.run(
      "swtpm",
      [
        "socket", "--tpm2", "--tpmstate", "dir=\(path("state"))", "--flags", "startup-clear",
        "--server", "type=unixio,path=\(path("tpm"))",
        "--ctrl", "type=unixio,path=\(path("tpm")).ctrl",
        "--daemon", "--pid", "file=\(path("pid"))",
      ])
    let written = try String(contentsOfFile: path("pid"), encoding: .utf8)
    guard let number = pid_t(written.trimmingCharacters(in: .whitespacesAndNewlines)) else {
      throw CocoaError(.executableNotLoadable)
    }
    self.number = number
  }

  deinit { switchOff() }

  /// Switches it off: it answers nobody any more.
  public func switchOff() {
    if let number { kill(number, SIGKILL) }
    number = nil
  }

  /// Runs a program to its end.
  ///
  /// Foundation's `Process` waits until nobody holds a socket that it gives to its child: a program
  /// that goes to the background holds it for good, and the test would wait with it.
  private static func run(_ tool: String, _ arguments: [String]) throws {
    let program = Program.tool(tool) ?? "/nowhere"
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for output in [1, 2] as [Int32] {
      posix_spawn_file_actions_addopen(&actions, output, "/dev/null", O_WRONLY, 0)
    }
    var words = ([program] + arguments).map { strdup($0) } + [nil]
    defer { words.forEach { free($0) } }
    var child = pid_t()
    var status: Int32 = 0
    guard posix_spawn(&child, program, &actions, nil, &words, environ) == 0,
      waitpid(child, &status, 0) == child, status == 0
    else { throw CocoaError(.executableNotLoadable) }
  }
}

extension FileManager {
  /// Returns true if neither a folder nor one directly below it has a file.
  fileprivate func isEmpty(_ folder: String, having name: String) -> Bool {
    let folders = (try? contentsOfDirectory(atPath: folder)) ?? []
    return !folders.contains { fileExists(atPath: "\(folder)/\($0)/\(name)") }
  }
}
