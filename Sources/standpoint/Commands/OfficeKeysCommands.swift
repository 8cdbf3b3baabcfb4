import ArgumentParser
import Evidence
import KeyRenewal
import KeyTokens
import LogPublishing
import Office
import OfficeKeyring
import TimeAndText

/// The office's own keys.
struct OfficeKeysCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "keys", abstract: "The office's own keys: show, renew, or revoke them.",
    discussion: """
      The authority certifies devices; the receipts key signs receipts and all other statements.
      Each can be followed by a new one: the earlier one signs the new one, and stays valid for
      what it has signed. Without a further word it lists them.

      Example: standpoint office keys
      """,
    subcommands: [ListKeys.self, Renew.self, RevokeKey.self], defaultSubcommand: ListKeys.self)
}

extension OfficeKeysCommand {
  struct ListKeys: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "Show the keys, and where each is kept (the default).")
    @OptionGroup var common: CommonOptions
    @OptionGroup var data: OfficeDataOptions

    func run() async throws {
      let office = try await data.office()
      let devices = try await office.devicesOfEarlierAuthorities()
      let ring = office.core.keys.ring
      if common.isJSON { return Terminal.say(ring.json) }
      for line in ring.lines { Terminal.say("\(line)") }
      if devices > 0 {
        Terminal.say("\(devices) devices still have a certificate of an earlier authority alone")
      }
    }
  }

  struct Renew: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Make the next key, signed by the present one.",
      discussion: """
        A running office uses it at once, and devices take it over by themselves. The private half
        of the earlier key is removed from this machine; backups still have it. Give a new
        authority's fingerprint to those who set up devices or verify bundles.

        Examples: standpoint office keys renew receipts
                  standpoint office keys renew authority --token \
        'pkcs11:token=office?module-path=/usr/lib/softhsm/libsofthsm2.so&pin-source=/etc/standpoint/pin'
        """)
    @OptionGroup var data: OfficeDataOptions
    @Argument(help: "The key: authority or receipts.") var kind: String
    @Option(
      help: ArgumentHelp(
        "Make the authority's key in this token (RFC 7512); it never leaves it.",
        valueName: "uri"))
    var token: String?
    @Flag(help: "Do not ask.") var yes = false

    func validate() throws {
      guard let kind = KeyRing.Kind(rawValue: kind) else {
        throw ValidationError("\(kind) is no key of an office: name authority or receipts.")
      }
      guard token == nil || kind == .authority else {
        throw ValidationError(
          "only the authority's key can be in a token: receipts are signed with each delivery.")
      }
    }

    func run() async throws {
      guard let kind = KeyRing.Kind(rawValue: kind) else { return }
      let uri = try token.map { try TokenURI($0) }
      let office = try await data.office()
      guard
        yes
          || Question.ask(
            "Remove the private half of the present key from this machine, once the new one is there?"
          )
      else { return }
      let entry = try await office.renewKey(kind, in: uri, by: OfficeCommand.terminal)
      Terminal.say("\(entry.name) is in use: SHA-256 \(entry.certificate.fingerprint)")
    }
  }

  struct RevokeKey: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "revoke",
      abstract: "Say that an earlier key counts no more, except for what the log held.",
      discussion: """
        Use it when a key may have been stolen. Deliveries that the office's log had stay valid.
        Devices that only a revoked authority has certified must sign in again with the password.
        It cannot be undone.

        Example: standpoint office keys revoke receipts-1 --reason 'the server was stolen'
        """)
    @OptionGroup var data: OfficeDataOptions
    @Argument(help: "The key's name in the list, such as receipts-1.") var name: String
    @Option(help: "The reason, for those who verify bundles.") var reason: String
    @Option(
      help: ArgumentHelp(
        "It counts only for what the log had before this time (RFC 3339), by its own times.",
        valueName: "time"))
    var since: String?
    @Flag(help: "Do not ask.") var yes = false

    func run() async throws {
      let since = try since.map { text -> DeviceTime in
        guard let time = DeviceTime(rfc3339: text) else {
          Terminal.complain("standpoint: --since \(text) is no time such as 2026-05-12T09:00:00Z")
          throw ExitStatus.badInput
        }
        return time
      }
      let office = try await data.office()
      let entries = try await PublicLog(core: office.core).entries(before: since)
      guard
        yes
          || Question.ask(
            "Revoke \(name) for everything but the first \(entries) entries of the log?")
      else { return }
      let revocation = try await office.revokeKey(
        name, reason: reason, entries: entries, by: OfficeCommand.terminal)
      Terminal.say(
        "\(name) counts for the first \(revocation.entries) entries of the log, and no more")
    }
  }
}
