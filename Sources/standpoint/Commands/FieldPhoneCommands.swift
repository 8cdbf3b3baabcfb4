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
      Example: standpoint field pair
      """)

  @OptionGroup var common: CommonOptions
  @OptionGroup var data: DataOptions
  @Option(help: "The address of this device in the phone's network, if it has several.")
  var address: String?

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
      in: data.directory, for: person, address: address, at: clock.deviceTime)
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

/// Lists the paired phones, and ends one.
struct FieldPhonesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "phones", abstract: "List the phones that are paired with this field unit.",
    discussion: """
      Example: standpoint field phones --end 018f2a3b-7c5d-7000-8000-000000000001
      """)

  @OptionGroup var common: CommonOptions
  @OptionGroup var data: DataOptions
  @Option(help: ArgumentHelp("End this phone's session.", valueName: "id")) var end: String?

  func run() async throws {
    let book = PhoneBook(dataDirectory: data.directory)
    if let end {
      guard try book.register().phones.contains(where: { $0.id == end }) else {
        throw ExitStatus.explained(.badInput, "no phone \(end) is paired: standpoint field phones")
      }
      try book.change { $0.end(end) }
    }
    for phone in try book.register().phones {
      if common.isJSON {
        Terminal.say(
          .members([
            ("id", .string(phone.id)), ("name", .string(phone.name)),
            ("inspector", .string(phone.login)), ("paired", .string(phone.paired.rfc3339)),
            ("heard", .string(phone.lastHeard.rfc3339)),
          ]))
      } else {
        Terminal.say(
          "\(phone.id)  \(phone.name), \(phone.login), last heard \(phone.lastHeard.rfc3339)")
      }
    }
  }
}
