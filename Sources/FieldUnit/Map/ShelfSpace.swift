import Inspection
import Store
import Synchronization
import TimeAndText

/// Where a shelf keeps each person's files on this device, how much it may take, and when it last
/// asked the office.
struct ShelfSpace: Sendable {
  /// The folder of everybody's files; it need not exist.
  let root: String
  /// The most bytes that the shelf's files take.
  let bytesAtMost: Int
  /// Returns true if the disk has more than its reserve.
  let hasRoom: @Sendable () -> Bool
  let log: OnceLog
  private let memory = Memory()

  /// The last fetch that went well; nil before the first.
  private final class Memory: Sendable {
    let done = Mutex<SurroundingsFetch?>(nil)
  }

  /// Creates the space of a shelf.
  /// - Parameter title: the words before each line of the log.
  init(
    of title: String, folder: String, bytesAtMost: Int, hasRoom: @escaping @Sendable () -> Bool,
    log: @escaping @Sendable (String) -> Void
  ) {
    (root, self.bytesAtMost, self.hasRoom) = (folder, bytesAtMost, hasRoom)
    self.log = OnceLog(title, log: log)
  }

  /// Returns the folder of a person's files below the folder of everybody's.
  static func folder(of person: Person, in root: String) -> String {
    "\(root)/\(person.folderName)"
  }

  func folder(of person: Person) -> String { Self.folder(of: person, in: root) }

  /// - Throws: `StoreError.unwritable` if the disk has no more than its reserve.
  func requireRoom(in folder: String) throws {
    guard hasRoom() else {
      throw StoreError.unwritable(
        path: folder, reason: "the disk has no room for it beside a day of photos")
    }
  }

  /// Logs that the files take all that they may.
  func sayFull() { log.say("the pictures have \(bytesAtMost >> 20) MB, and no more are fetched") }

  /// Returns true if a fetch would find the same as the last one that went well.
  func isSoon(_ fetch: SurroundingsFetch) -> Bool {
    memory.done.withLock { $0.map(fetch.isSoon(after:)) ?? false }
  }

  /// Keeps a fetch that went well; nil lets the next one ask the office.
  func keep(_ fetch: SurroundingsFetch?) { memory.done.withLock { $0 = fetch } }
}
