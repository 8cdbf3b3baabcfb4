/// The names of temporary files that an export keeps in its target's folder while it is made.
package enum ScratchName {
  /// Returns a short name in the target's folder that no file there has. The name does not contain
  /// the target's own name, which may already be as long as names can be; and a file with a similar
  /// name may belong to another program.
  package static func beside(_ path: String, ending: String) -> String {
    let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
    let number = UInt64.random(in: .min ... .max)
    return "\(folder).standpoint-\(String(number, radix: 36)).\(ending)"
  }
}
