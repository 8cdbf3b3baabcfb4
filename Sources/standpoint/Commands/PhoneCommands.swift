import ArgumentParser
import Evidence
import Foundation
import Office
import Predecessor
import Store
import Sync
import Telling
import TimeAndText
import Web

extension OfficeCommand.AgencyGroup {
  /// Shows or changes how an agency lets phones with the EGNSS4CAP and EGNSS4ALL apps in.
  struct Phones: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Show or change an agency's access for EGNSS4CAP and EGNSS4ALL phones.",
      discussion: """
        Phones are served by standpoint office --egnss4cap. The apps send no token: either the
        agency's address is secret, or phones send credentials, or both are accepted. The
        published apps need the address; credentials are for a proxy that adds them, or for an
        agency's own build of an app.

        Example: standpoint office agency phones north --new-address --zone Europe/Prague
        """)
    @OptionGroup var common: CommonOptions
    @OptionGroup var data: OfficeDataOptions
    @Argument(help: "The agency's name.") var name: String
    @Flag(help: "Create a new secret part of the address; it is shown once.") var newAddress = false
    @Option(help: "Choose the secret part of the address: 16 to 64 letters, digits, hyphens.")
    var address: String?
    @Flag(help: "Stop using the secret address.") var noAddress = false
    @Option(help: "The name that phones send with HTTP Basic; its password is asked for.")
    var basic: String?
    @Flag(help: "Stop using the credentials.") var noBasic = false
    @Flag(help: "Read the password from standard input instead of asking for it.")
    var passwordStdin = false
    @Option(
      help: "Networks that phones may come from, separated by commas: 192.0.2.0/24; any for all.")
    var allow: String?
    @Option(help: "Requests of one user: per second and burst, such as 20,400.")
    var requests: String?
    @Option(help: "Login tries from one address: per second and burst, such as 1,60.")
    var logins: String?
    @Option(help: "How long a login is valid, in hours.") var loginHours: Double?
    @Option(
      help: "The leading bits of IPv4 and IPv6 that make the network of a login: 24,64.")
    var sameNetwork: String?
    @Option(
      help: "The time zone of times without one, such as Europe/Prague; needed the first time.")
    var zone: String?
    @Flag(help: "Turn off access for phones; this ends all their logins.") var off = false

    func validate() throws {
      guard [newAddress, address != nil, noAddress].count(where: \.self) <= 1 else {
        throw ValidationError("Give only one of --new-address, --address and --no-address.")
      }
      guard basic == nil || !noBasic else {
        throw ValidationError("Give either --basic or --no-basic, not both.")
      }
      // An empty list would mean any network, and is a mistake.
      if let allow, allow.allSatisfy({ $0 == "," || $0.isWhitespace }) {
        throw ValidationError("--allow contains no network: write 192.0.2.0/24, or any.")
      }
      _ = try pair(requests, "--requests")
      _ = try pair(logins, "--logins")
      _ = try pair(sameNetwork, "--same-network")
    }

    private func pair(_ text: String?, _ name: String) throws -> (Double, Double)? {
      guard let text else { return nil }
      let numbers = text.split(separator: ",").map { Double($0) }
      guard numbers.count == 2, let first = numbers[0], let second = numbers[1],
        (0...1e9).contains(first), (0...1e9).contains(second)
      else { throw ValidationError("\(name) \(text) is not a pair of numbers.") }
      return (first, second)
    }

    private func change() throws -> PhoneServiceChange {
      var change = PhoneServiceChange()
      if newAddress { change.prefix = .drawn }
      if let address { change.prefix = .chosen(address) }
      if noAddress { change.prefix = .removed }
      if let basic {
        change.credentials = .set(
          login: basic, password: try Password.read(fromStandardInput: passwordStdin))
      }
      if noBasic { change.credentials = .removed }
      if let allow { change.networks = PhoneServiceChange.networks(from: allow) }
      if let (perSecond, burst) = try pair(requests, "--requests") {
        change.requests = (perSecond, burst)
      }
      if let (perSecond, burst) = try pair(logins, "--logins") {
        change.logins = (perSecond, burst)
      }
      change.loginHours = loginHours
      if let (four, six) = try pair(sameNetwork, "--same-network") {
        // A number that is not whole becomes -1, which the office refuses.
        change.networkBits = (Int(exactly: four) ?? -1, Int(exactly: six) ?? -1)
      }
      change.zone = zone
      return change
    }

    private var isChange: Bool {
      newAddress || address != nil || noAddress || basic != nil || noBasic || allow != nil
        || requests != nil || logins != nil || loginHours != nil || sameNetwork != nil
        || zone != nil
    }

    func run() async throws {
      let office = try await data.office()
      if off {
        try await office.phones.removePhoneService(of: name, by: OfficeCommand.terminal)
        Terminal.say("\(name): no phones")
        return
      }
      var drawn: String?
      if isChange {
        // A zone that the agency did not choose would silently shift every time from iOS by hours.
        if zone == nil, try await office.phones.phoneService(of: name) == nil {
          throw OfficeRefusal(
            .inputInvalid,
            "phones have no access to \(name) yet: give their time zone, such as --zone Europe/Prague"
          )
        }
        drawn = try await office.phones.changePhoneService(
          of: name, change(), by: OfficeCommand.terminal
        )
        .prefix
      }
      guard let service = try await office.phones.phoneService(of: name) else {
        Terminal.say("\(name): no phones")
        return
      }
      if common.isJSON {
        Terminal.say(
          .members([
            ("agency", .string(name)), ("address", drawn.map { .string("/\($0)/ws/") }),
            ("secretAddress", .bool(service.prefixDigest != nil)),
            ("basicLogin", .text(service.basicLogin)),
            ("networks", .array(service.networks.map { .string($0) })),
            ("loginHours", .integer(Int(service.loginSeconds / 3600))),
            ("zone", .string(service.zone)),
          ]))
        return
      }
      if let drawn {
        Terminal.say("EGNSS4CAP: https://THIS-OFFICE/\(drawn)/ws/")
        Terminal.say("EGNSS4ALL: https://THIS-OFFICE/\(drawn)/")
        Terminal.complain("The address is secret and is not shown again.")
      }
      Terminal.say(
        "\(name): \(service.prefixDigest == nil ? "no secret address" : "a secret address"), "
          + "credentials \(service.basicLogin ?? "none"), networks "
          + (service.networks.isEmpty ? "any" : service.networks.joined(separator: " "))
          + ", a login is valid for \(Int(service.loginSeconds / 3600)) h, zone \(service.zone)")
    }
  }
}
