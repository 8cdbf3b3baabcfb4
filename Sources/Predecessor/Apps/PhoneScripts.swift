import Foundation
import Inspection
import NIOPosix
import Office
import Positioning
import Store
import Sync
import Web

/// The web service that the EGNSS4CAP and EGNSS4ALL apps speak, over the office's own tasks, photos and tracks.
///
/// The apps are in thousands of pockets and will not change: names, order, types, sentences, dates and zones of what
/// they are answered are the predecessor's, whose eleven scripts these are. Where it lost something and said "ok",
/// this says what is so; docs/egnss4cap.md lists where.
struct PhoneScripts: Sendable {
  let office: OfficeServer
  let service: PredecessorService
  var desk: PhoneDesk { service.desk }

  static let mediaType = "application/json; charset=utf-8"

  /// The eleven.
  enum Script: String, CaseIterable {
    case login, tasks, photo, update, status, path, unassigned, shapes
    case getPaths = "get_paths"
    case getPhoto = "get_photo"
    case taskPhotos = "task_photos"

    init?(fileName: String) {
      guard fileName.hasPrefix("comm_"), fileName.hasSuffix(".php") else { return nil }
      self.init(rawValue: String(fileName.dropFirst(5).dropLast(4)))
    }

    /// The one that an address ends with.
    init?(path: String) {
      guard let name = path.split(separator: "/").last else { return nil }
      self.init(fileName: String(name))
    }

    var fileName: String { "comm_\(rawValue).php" }

    /// The field that the iOS app sends last, with whatever its user has written.
    var lastField: String? {
      switch self {
      case .status, .update: "note"
      default: nil
      }
    }
  }

  private static let folders: Set = ["ws", "egnss4allservices"]

  /// Both apps' folders, below the agency's secret part of the address or at the root, and with the slashes that a
  /// server's name with a slash at its end makes double.
  func add(to routes: inout Routes) {
    for secret in ["", "/{service}"] {
      for folder in Self.folders.sorted() {
        for (before, behind) in [("/", "/"), ("//", "/"), ("/", "//")] {
          routes.program(
            "\(secret)\(before)\(folder)\(behind){script}",
            refusing: Self.refusal
          ) { await answer($0, Script(fileName: $0.parameters["script"] ?? "")) }
        }
      }
    }
    // EGNSS4ALL on iOS puts no folder before a script. Each is named: whatever else of two parts is asked for is none
    // of a phone's.
    for script in Script.allCases {
      for slashes in ["/", "//"] {
        routes.program(
          "/{service}\(slashes)\(script.fileName)",
          refusing: Self.refusal
        ) { await answer($0, script) }
      }
    }
    Self.hideAddresses(in: &routes) { _, path in
      .phone(PhoneRefusal.unknownService, to: Script(path: path))
    }
  }

  /// A mistyped address is one of no agency, too. Its secret part may be right, and so may that of phones which do not
  /// know yet that they are served no more.
  static func hideAddresses(in routes: inout Routes, refusing refusal: Routes.Refusal? = nil) {
    routes.strayPrograms(
      folders: folders, filePrefix: "comm_", pattern: "/{service}/…", refusing: refusal)
  }

  /// What is refused before any script is asked.
  private static let refusal: Routes.Refusal = { problem, path in
    .phone(PhoneRefusal(problem.detail), to: Script(path: path))
  }

  /// Whatever happens, a phone gets JSON that it can read, and nothing of how things are here.
  private func answer(_ request: WebRequest, _ script: Script?) async -> WebResponse {
    let response = await outcome(of: request, script)
    // With status 200 they send on, and take the end of the connection behind an early answer for a fault.
    await request.discardBody(bytesAtMost: Self.unwantedBytesAtMost)
    return response
  }

  private func outcome(of request: WebRequest, _ script: Script?) async -> WebResponse {
    do {
      guard let script else { throw PhoneRefusal.unknownScript }
      let caller = try await caller(of: request)
      return try await answer(script, request, caller)
    } catch {
      return .phone(refusal(of: error, request), to: script)
    }
  }

  private func refusal(of error: any Error, _ request: WebRequest) -> PhoneRefusal {
    switch error {
    case let refusal as PhoneRefusal: return refusal
    case let problem as WebProblem where problem == .tooLarge: return .tooLarge
    // A body that broke off, mostly: nobody is there any more to hear it.
    case let problem as WebProblem: return PhoneRefusal(problem.problem.detail)
    case is CancellationError:
      return PhoneRefusal("the office is being stopped: try again later")
    default:
      let refusal = OfficeRefusal(of: error)
      guard let refusal, refusal.kind != .storeUnavailable else {
        office.configuration.log("phones: \(error) (request \(request.id))")
        return PhoneRefusal("the office cannot use its storage: try again later")
      }
      return PhoneRefusal(refusal.detail)
    }
  }

  private func answer(
    _ script: Script, _ request: WebRequest, _ caller: PhoneCaller
  ) async throws -> WebResponse {
    switch script {
    case .login: return .phone(try await login(request, caller))
    case .photo: return .phone(try await photo(request, caller))
    case .update: return .phone(try await update(request, caller))
    case .path: return .phone(try await path(request, caller))
    case .getPaths: return try await paths(try await form(script, request), caller)
    case .getPhoto:
      let form = try await form(script, request)
      return try await working { try await getPhoto(form, caller, request) }
    case .taskPhotos:
      let form = try await form(script, request)
      return try await desk.turns.holding("task photos") {
        try await working { try await taskPhotos(form, caller, request) }
      }
    case .tasks, .status, .unassigned, .shapes:
      let form = try await form(script, request)
      return .phone(
        try await working {
          switch script {
          case .tasks: try await tasks(form, caller)
          case .status: try await status(form, caller)
          case .unassigned: try await unassigned(form, caller)
          default: try await shapes(form, caller)
          }
        })
    }
  }

  /// Does something that waits for disk and database, on a thread of its own.
  func working<Value>(_ body: () async throws -> Value) async throws -> Value {
    try await PhoneDesk.threads.runInTurn(body)
  }

  /// More than any of the apps sends: whoever sends more finds the connection closed.
  private static let unwantedBytesAtMost = 64 << 20
  /// No field of the short forms is longer.
  private static let formBytesAtMost = 256 << 10

  /// The fields of a form without photos; the address stands in for what the body lacks.
  func form(
    _ script: Script, _ request: WebRequest, limit: Int = formBytesAtMost
  ) async throws -> PHPForm {
    PHPForm(try await body(of: request, limit: limit), last: script.lastField)
      .filled(with: request.query)
  }

  /// The bytes of a form. A line end behind it, as a terminal adds one, belongs to nothing.
  func body(of request: WebRequest, limit: Int) async throws -> [UInt8] {
    var bytes = try await request.bytes(limit: limit)
    while let last = bytes.last, last == 0x0A || last == 0x0D { bytes.removeLast() }
    return bytes
  }

  static func ok(_ members: [(String, PHPJSON)] = []) -> PHPJSON {
    .object(
      [("status", .text("ok")), ("error_msg", .null)] + members.map { (name: $0.0, value: $0.1) })
  }

  /// A number as the original's database gave it: without an end of zeros, and with every digit that came.
  static func digits(_ value: Double?) -> PHPJSON {
    guard let value, value.isFinite else { return .null }
    let text = "\(value)"
    return .text(text.hasSuffix(".0") ? String(text.dropLast(2)) : text)
  }
}
