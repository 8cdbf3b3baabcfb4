import ArgumentParser
import Evidence
import FieldUnit
import KeyTokens
import Receivers

/// Where the keys of this device are kept.
struct KeyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "key",
    abstract: "Where this device keeps its keys: in a file, its TPM, or a token.",
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
      abstract: "Choose where new keys are made: this device's TPM, a token, or a file.",
      discussion: """
        tpm: is the TPM 2.0 of this device; at each sign-in it shows the office that it has the \
        key. A token is a smart card or anything else with a PKCS #11 module. A key that is made in \
        either cannot be taken out. The place is tried at once. Then sign in again: from that \
        sign-in on, everything is sealed with a key there, and the earlier key stays valid for what \
        it has sealed.
        Examples: standpoint key use tpm:, or standpoint key use \
        'pkcs11:token=field-07?module-path=/usr/lib/softhsm/libsofthsm2.so&pin-source=/etc/standpoint/pin'
        """)
    @OptionGroup var data: DataOptions
    @Argument(help: "tpm:, a token's address (RFC 7512), or the word file.") var place: String

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
