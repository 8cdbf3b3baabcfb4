import ArgumentParser
import Evidence
import Foundation
import Office
import Sync
import Telling
import TimeAndText

extension OfficeCommand.AgencyGroup {
  /// Shows or replaces an agency's own list of mobile cells.
  struct Cells: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Show or replace an agency's own list of mobile cells.",
      discussion: """
        Photos that record the cells heard are checked against this list and against earlier
        photos; no other service is asked. The file is CSV with the columns
        radio,mcc,net,area,cell,unit,lon,lat,range, as at OpenCelliD. It replaces the whole list;
        if a line is wrong, nothing is changed.

        Example: standpoint office agency cells north cells.csv
        """)

    @OptionGroup var common: CommonOptions
    @OptionGroup var data: OfficeDataOptions
    @Argument(help: "The agency's name.") var name: String
    @Argument(help: "The list; without it, the number of cells is shown.") var file: String?

    func run() async throws {
      let office = try await data.office()
      try await office.people.requireAgency(name)
      var left = 0
      if let file {
        guard let bytes = FileManager.default.contents(atPath: file) else {
          throw OfficeRefusal(.inputInvalid, "\(file) cannot be read")
        }
        let list = try CellFile.cells(fromCSV: Array(bytes))
        left = list.left
        try await office.policies.setCells(list.cells, of: name, by: OfficeCommand.terminal)
      }
      let count = try await office.policies.cellCount(of: name)
      if common.isJSON {
        Terminal.say(
          .members([
            ("agency", .string(name)), ("cells", .integer(count)), ("left", .integer(left)),
          ]))
      } else {
        Terminal.say(
          "\(name) has \(count) cells on its list"
            + (left == 0 ? "" : "; \(left) CDMA lines were left out"))
      }
    }
  }
}
