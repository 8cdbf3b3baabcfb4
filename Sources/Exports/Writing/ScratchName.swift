/// Names for what an export needs beside its target for as long as it is made.
enum ScratchName {
  /// A short name in the target's folder that nothing there has: a target's own may be as long as names can be,
  /// and what is called almost like it may be somebody's.
  static func beside(_ path: String, ending: String) -> String {
    let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
    let number = UInt64.random(in: .min ... .max)
    return "\(folder).standpoint-\(String(number, radix: 36)).\(ending)"
  }
}
