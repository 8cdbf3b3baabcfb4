import Evidence
import Inspection
import Office
import Sync
import Web

/// An added service that also shows something on the officers' pages.
package protocol PageAddition: AddedService {
  /// Adds the service's own addresses and pages.
  func add(to routes: inout Routes, of office: OfficeServer)
  /// Returns the links to the service's pages that the reader may see, for the navigation.
  func links(for reader: PageReader, _ t: Texts) -> [(title: String, href: String)]
  /// Returns the words about the finished action that `done` names; nil if `done` is not one of the
  /// service's.
  func words(forDone done: String, _ t: Texts) -> String?
  /// Returns the sentence for an entry of the log that only this service makes; nil for any other.
  func sentence(for entry: LogEntry, _ words: LogWords) -> HTML?
  /// Returns the facts that the service alone knows of a photo; nil for none.
  func facts(
    ofPhoto received: ReceivedPhoto, _ reader: PageReader, of office: OfficeServer
  ) async throws -> HTML?
  /// Returns the facts that the service alone knows of a task; nil for none.
  func facts(
    ofTask task: Identifier, _ reader: PageReader, of office: OfficeServer
  ) async throws -> HTML?
}
