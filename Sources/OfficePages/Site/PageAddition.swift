import Inspection
import Office
import Sync
import Web

/// An added service that shows something on the officers' pages, too.
package protocol PageAddition: AddedService {
  /// Adds the service's own addresses and pages.
  func add(to routes: inout Routes, of office: OfficeServer)
  /// The service's pages in the navigation, for whoever may see them.
  func links(for reader: PageReader, _ t: Texts) -> [(title: String, href: String)]
  /// What a page of the service has done, in words; nil where `done` is not the service's.
  func words(forDone done: String, _ t: Texts) -> String?
  /// What the service knows of a photo beside what all photos have; nil for nothing.
  func facts(
    ofPhoto received: ReceivedPhoto, _ reader: PageReader, of office: OfficeServer
  ) async throws -> HTML?
  /// What the service knows of a task beside what all tasks have; nil for nothing.
  func facts(
    ofTask task: Identifier, _ reader: PageReader, of office: OfficeServer
  ) async throws -> HTML?
}
