import ArgumentParser
import Evidence
import FieldUnit
import Foundation
import Inspection
import PairedPhones
import Positioning
import Receivers
import Store
import Telling
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

/// Brings up a Wi-Fi of this device's own for phones, or takes it down.
struct FieldHotspotCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "hotspot", abstract: "Make a Wi-Fi of this device's own, for phones.",
    discussion: """
      NetworkManager makes it. You are asked first, because the device may have to leave the Wi-Fi
      that it is in. Phones join by the QR code; name and password stay the same from day to day.
      The hotspot stays until --off, or until the device is switched off.
      Examples: standpoint field hotspot
                standpoint field hotspot --off
      """)

  @OptionGroup var common: CommonOptions
  @OptionGroup var data: DataOptions
  @Flag(help: "Take the hotspot down.") var off = false
  @Flag(help: "Do not ask.") var yes = false
  @Option(help: ArgumentHelp("The Wi-Fi to use, if there are several.", valueName: "interface"))
  var radio: String?

  func run() async throws {
    let book = HotspotBook(dataDirectory: data.directory)
    try Self.requireOwner(of: data.directory)
    if off {
      var wasUp = false
      if let access = try book.known() { wasUp = try await Hotspot.stop(access) }
      if common.isJSON {
        Terminal.say(.members([("state", .string("down"))]))
      } else {
        Terminal.say(wasUp ? "the hotspot is down" : "the hotspot was not up")
      }
      return
    }
    let outlook = try await Hotspot.look(try book.known(), radio: radio)
    if !outlook.isUp, !yes { try Self.ask(outlook) }
    let access = try book.access(at: MachineClock().deviceTime)
    let made = try await Hotspot.start(access, expecting: outlook)
    if common.isJSON {
      Terminal.say(
        .members([
          ("state", .string("up")), ("radio", .string(made.radio)), ("name", .string(access.name)),
          ("password", .string(access.password)), ("code", .string(access.joiningText)),
        ]))
      return
    }
    Terminal.say(TerminalCode.drawing(access.joiningText))
    Terminal.say("Wi-Fi      \(access.name)")
    Terminal.say("password   \(access.password)")
    Terminal.say("then pair the phone: standpoint field pair")
  }

  /// Requires that the data belongs to whoever runs this: root's own files among them would lock the field unit
  /// out.
  private static func requireOwner(of folder: URL) throws {
    guard FileManager.default.fileExists(atPath: folder.path) else { return }
    let owner = try FileManager.default.attributesOfItem(atPath: folder.path)
    guard let number = (owner[.ownerAccountID] as? NSNumber)?.uint32Value, number != geteuid()
    else {
      return
    }
    let name = owner[.ownerAccountName] as? String ?? "\(number)"
    throw ExitStatus.explained(
      .refused, "\(folder.path) belongs to \(name): run this as \(name), or give your own --data")
  }

  private static func ask(_ outlook: Hotspot.Outlook) throws {
    let ends = outlook.ends.map {
      "This device leaves the Wi-Fi \($0), and comes back after --off if it joins it by itself. "
    }
    guard isatty(STDIN_FILENO) == 1 else {
      throw ExitStatus.explained(
        .refused,
        "\(ends ?? "")the hotspot would take \(outlook.radio): say --yes if that is what you want")
    }
    Terminal.complain(
      "Make a Wi-Fi with \(outlook.radio) for \(PhoneRegister.phonesAtMost) phones at most? "
        + "\(ends ?? "")[y/N]")
    guard readLine()?.lowercased().hasPrefix("y") == true else {
      throw ExitStatus.explained(.refused, "nothing was changed")
    }
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
