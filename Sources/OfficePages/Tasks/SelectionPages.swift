import BulkActs
import Exports
import Foundation
import Guide
import Inspection
import Office
import OfficeFrame
import Store
import TimeAndText
import Web

/// The buttons below the list of tasks, which take the chosen tasks away as a file, or plan an act on
/// them.
struct SelectionPages: OfficePage {
  let office: OfficeServer
  let help = GuidePart.severalTasks

  func add(to routes: inout Routes) {
    routes.post("/tasks/selection") { request in
      try await reading(request) { reader in
        let form = try await reader.request.form()
        let list = TaskListAddress(form["list"])
        let chosen = try await chosen(form, list, reader)
        switch form["do"] {
        case let name? where ExportFormat(rawValue: name) != nil:
          try requireSome(chosen)
          return try await ExportPages(office: office).file(
            .tasks(chosen), as: ExportFormat(rawValue: name) ?? .kml, "tasks", reader)
        case "answers":
          try requireSome(chosen)
          return try await ExportPages(office: office).answers(of: chosen, "answers", reader)
        case let name?:
          guard let kind = BulkAct.Kind(rawValue: name) else { break }
          let address = list?.query() ?? ""
          return chosen.isEmpty
            ? .redirect("/tasks?\(address)&done=nothing")
            : try await BulkPages(office: office).begin(kind, chosen, list: address, reader)
        case nil: break
        }
        throw OfficeRefusal(.inputInvalid, "the form does not say what to do")
      }
    }
  }

  /// Returns the ticked tasks, or all of the list if its box is ticked.
  private func chosen(
    _ form: WebForm, _ list: TaskListAddress?, _ reader: Reader
  ) async throws -> [Identifier] {
    guard form["all"] == nil else {
      // A list that cannot be read must not become the list of everything.
      guard let list = list ?? (form["list"]?.isEmpty != false ? TaskListAddress([:]) : nil) else {
        throw OfficeRefusal(
          .inputInvalid, "the search is too long to be repeated here: search for fewer words")
      }
      return try await office.database.read(in: reader.agency) {
        try $0.tasks.identifiers(list.filter, list.order, at: office.clock.deviceTime)
      }
    }
    let values = form.all("task")
    try Review.requireFew(values.count)
    return try values.map { value in
      guard let id = Identifier(value) else {
        throw OfficeRefusal(.inputInvalid, "\(value.prefix(40)) is not a task's identifier")
      }
      return id
    }
  }

  private func requireSome(_ chosen: [Identifier]) throws(OfficeRefusal) {
    guard !chosen.isEmpty else {
      throw OfficeRefusal(.ruleForbids, "select tasks in the list first")
    }
  }
}
