import ArgumentParser
import Evidence
import FieldUnit
import KeyTokens
import Receivers

/// Where the keys of this device are kept.
struct KeyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "key", abstract: "Where this device keeps its keys: in a file, or in a token.",
    subcommands: [Show.self, Use.self], defaultSubcommand: Show.self)

  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Show the keys of this device and where each is kept (the default).")
    @OptionGroup var common: CommonOptions
    @OptionGroup var data: DataOptions

    func run() throws {
      let shelf = try data.desk(clock: MachineClock()).keys
      if common.isJSON {
        Terminal.say(try shelf.json())
      } else {
        for line in try shelf.lines() { Terminal.say("\(line)") }
      }
    }
  }

  struct Use: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Choose where new keys are made: a token, or a file.",
      discussion: """
        A token is a smart card, a TPM or anything else with a PKCS #11 module; a key that is made \
        in it cannot be taken out. The token is tried at once. Then sign in again: from that \
        sign-in on, everything is sealed with a key in the token, and the earlier key stays valid \
        for what it has sealed.
        Example: standpoint key use \
        'pkcs11:token=field-07?module-path=/usr/lib/softhsm/libsofthsm2.so&pin-source=/etc/standpoint/pin'
        """)
    @OptionGroup var data: DataOptions
    @Argument(help: "The token's address (RFC 7512), or the word file.") var place: String

    func run() throws {
      let words = try data.desk(clock: MachineClock()).keys.choose(place)
      Terminal.say("\(words)")
    }
  }
}

/// The process in which a token's module runs; our own programs start it.
struct TokenWorkerCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: TokenWorker.command, abstract: "Asks a token.", shouldDisplay: false)
  func run() { TokenWorker.run() }
}
