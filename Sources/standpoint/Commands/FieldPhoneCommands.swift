import ArgumentParser
import Evidence
import FieldUnit
import Foundation
import Inspection
import PairedPhones
import Positioning
import Receivers
import Store
import TimeAndText
import Web

/// Makes a code that pairs a phone.
struct FieldPairCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pair", abstract: "Make a code that pairs a phone with this field unit.",
    discussion: """
      The field unit must be running. Read the QR code with the phone's camera and follow the page
      that opens. The code pairs one phone, within 10 minutes; a new one ends it.
      A photo's position is that of the receiver's antenna. If the phone's lens is not there, say how
      far away it is: the distance is added to the uncertainty of the phone's photos, and sealed.
      Examples: standpoint field pair
                standpoint field pair --lens 1.5 --lens-uncertainty 0.3
      """)

  @OptionGroup var common: CommonOptions
  @OptionGroup var data: DataOptions
  @Option(help: "The address of this device in the phone's network, if it has several.")
  var address: String?
  @OptionGroup var lens: LensOptions

  func validate() throws {
    if let address, !WebConfiguration.isAddress(address) {
      throw ValidationError("--address \(address) is not an IP address, such as 192.168.1.20.")
    }
  }

  func run() async throws {
    let clock = MachineClock()
    guard let person = try data.desk(clock: clock).signedIn()?.person else {
      throw ExitStatus.explained(.refused, "nobody is signed in: standpoint login")
    }
    let (invitation, expires) = try PhoneInvitation.make(
      in: data.directory, for: person, address: address, lens: lens.offset,
      at: clock.deviceTime)
    guard let invitation else {
      throw ExitStatus.explained(
        .unavailable,
        "this device has no address in a network, or its field unit was never started: connect it"
          + " to a Wi-Fi, start standpoint field, and try again")
    }
    if common.isJSON {
      Terminal.say(
        .members([
          ("url", .string(invitation.url)), ("code", .string(invitation.code.description)),
          ("fingerprint", .string(invitation.fingerprint)), ("expires", .string(expires.rfc3339)),
        ]))
      return
    }
    Terminal.say(TerminalCode.drawing(invitation.url))
    Terminal.say("\(invitation.code)  one phone, until \(expires.rfc3339)")
    Terminal.say(invitation.url)
    Terminal.say("fingerprint \(invitation.fingerprint)")
  }
}

/// The distance between antenna and lens on the command line.
struct LensOptions: ParsableArguments {
  @Option(help: "Metres from the receiver's antenna to the phone's lens, 0 to 5.")
  var lens: Double?
  @Option(help: "The most by which that distance differs, metres, 0 to 5.")
  var lensUncertainty: Double?

  /// The distance; nil if none was given.
  var offset: LensOffset? {
    lens.flatMap { LensOffset(metres: $0, uncertaintyMetres: lensUncertainty ?? 0) }
  }

  func validate() throws {
    if lens == nil, lensUncertainty != nil {
      throw ValidationError("--lens-uncertainty needs --lens METRES.")
    }
    if lens != nil, offset == nil {
      throw ValidationError(
        "--lens and --lens-uncertainty are 0 to \(Int(LensOffset.metresAtMost)) m.")
    }
  }
}

/// Lists the paired phones, and ends one.
struct FieldPhonesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "phones", abstract: "List the phones that are paired with this field unit.",
    discussion: """
      Example: standpoint field phones --end 018f2a3b-7c5d-7000-8000-000000000001
      With --lens, --set says for which phone the distance between antenna and lens holds from now on.
      """)

  @OptionGroup var common: CommonOptions
  @OptionGroup var data: DataOptions
  @Option(help: ArgumentHelp("End this phone's session.", valueName: "id")) var end: String?
  @Option(help: ArgumentHelp("Set this phone's distance to the antenna.", valueName: "id")) var set:
    String?
  @OptionGroup var lens: LensOptions

  func validate() throws {
    if (set == nil) != (lens.offset == nil) {
      throw ValidationError("--set ID and --lens METRES belong together.")
    }
  }

  func run() async throws {
    let book = PhoneBook(dataDirectory: data.directory)
    if let end {
      guard try book.register().phones.contains(where: { $0.id == end }) else {
        throw ExitStatus.explained(.badInput, "no phone \(end) is paired: standpoint field phones")
      }
      try book.change { $0.end(end) }
    }
    if let set, let offset = lens.offset {
      guard try book.change({ $0.set(lens: offset, of: set) }) else {
        throw ExitStatus.explained(.badInput, "no phone \(set) is paired: standpoint field phones")
      }
    }
    for phone in try book.register().phones {
      if common.isJSON {
        Terminal.say(
          .members([
            ("id", .string(phone.id)), ("name", .string(phone.name)),
            ("inspector", .string(phone.login)), ("paired", .string(phone.paired.rfc3339)),
            ("heard", .string(phone.lastHeard.rfc3339)),
            ("lensMetres", .number(phone.lens?.metres ?? 0)),
            ("lensUncertaintyMetres", .number(phone.lens?.uncertaintyMetres ?? 0)),
          ]))
      } else {
        Terminal.say(
          "\(phone.id)  \(phone.name), \(phone.login), last heard \(phone.lastHeard.rfc3339)")
      }
    }
  }
}
