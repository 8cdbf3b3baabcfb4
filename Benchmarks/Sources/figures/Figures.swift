import ArgumentParser

/// What the pages in docs/ say in numbers is printed by this program, so that anybody can print it
/// again. `make figures` runs all of it.
@main
struct Figures: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "figures", abstract: "The numbers of docs/gate.md and docs/measured.md.",
    subcommands: [
      Curve.self, Captures.self, Radius.self, Layers.self, Decode.self, WriteLog.self,
      Allocations.self,
    ])
}
