import ArgumentParser
import Evidence
import FieldUnit
import Foundation
import Inspection
import Telling

/// Shows and changes the inspector's settings of this device.
struct SettingsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "settings", abstract: "Show and change your settings on this field unit.",
    discussion: """
      Samples, countdown, the gate's limits, tracks, what stays on the device: standpoint settings
      list shows all of them, docs/settings.md explains them. Your settings apply only to you, on
      this device. You can be stricter than your agency, never looser (exit 1); a value that is
      not allowed is exit 2.

      Examples:
        standpoint settings set samples 40
        standpoint settings set removeDeliveredAfterDays 30
        standpoint settings reset samples
      """,
    subcommands: [List.self, Get.self, Set.self, Reset.self], defaultSubcommand: List.self)

  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "List all settings with their values.")
    @OptionGroup var common: CommonOptions
    @OptionGroup var data: DataOptions

    func run() async throws {
      let settings = try data.unit().settings()
      for setting in FieldSetting.allCases { SettingLine.say(setting, settings, common) }
    }
  }

  struct Get: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Show the value that applies: yours, or your agency's if that is stricter.")
    @OptionGroup var common: CommonOptions
    @OptionGroup var data: DataOptions
    @Argument var name: FieldSetting

    func run() async throws {
      let settings = try data.unit().settings()
      if common.isJSON {
        SettingLine.say(name, settings, common)
      } else {
        Terminal.say(name.text(of: settings.inForce(name)))
      }
    }
  }

  struct Set: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Set one setting.")
    @OptionGroup var data: DataOptions
    @Argument var name: FieldSetting
    @Argument(help: "on or off, a number, a method's name, or never.") var value: String

    func run() async throws { try data.unit().set(name, to: value) }
  }

  struct Reset: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Reset one setting, or all of them, to the default.")
    @OptionGroup var data: DataOptions
    @Argument var name: FieldSetting?

    func run() async throws {
      try data.unit().reset(name.map { [$0] } ?? FieldSetting.allCases)
    }
  }
}

extension FieldSetting: ExpressibleByArgument {}

/// Lines about settings.
enum SettingLine {
  static func say(_ setting: FieldSetting, _ settings: FieldSettings, _ common: CommonOptions) {
    let agency = settings.agencyValue(setting)
    let own = settings[own: setting]
    guard common.isJSON else {
      var remarks: [String] = []
      if let agency { remarks.append("your agency asks for \(setting.text(of: agency))") }
      if settings.isOverridden(setting) {
        remarks.append("you have set \(setting.text(of: own))")
      }
      if own != nil || agency != nil {
        remarks.append("default \(setting.text(of: setting.standard))")
      }
      let words = [
        setting.rawValue, setting.text(of: settings.inForce(setting)),
        remarks.isEmpty ? nil : "(\(remarks.joined(separator: "; ")))",
      ]
      Terminal.say(words.compactMap(\.self).joined(separator: " "))
      return
    }
    // Unchanged since this was the only setting: an agency without a rule of its own says `never`.
    let asked: JSONValue? =
      agency != nil || setting.canBeNever ? .string(setting.text(of: agency)) : nil
    let given: JSONValue? = own != nil ? .string(setting.text(of: own)) : nil
    Terminal.say(
      JSONValue.members([
        ("name", .string(setting.rawValue)),
        ("value", .string(setting.text(of: settings.inForce(setting)))),
        ("own", given),
        ("agency", asked),
        ("default", .string(setting.text(of: setting.standard))),
        ("values", .string(setting.range)), ("unit", .text(setting.unit)),
        ("group", .string(setting.group.rawValue)),
      ]))
  }
}
