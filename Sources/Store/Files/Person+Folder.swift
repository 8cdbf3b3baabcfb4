import Evidence
import Inspection

extension Person {
  /// The name of a person's own files in a folder of everybody's. A login may hold what no file name
  /// may.
  package var folderName: String {
    String(Digest.hexadecimal(Array("\(agency)\n\(login)".utf8)).prefix(32))
  }
}
