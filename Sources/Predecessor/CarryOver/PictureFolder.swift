import Evidence
import Foundation
import Office
import Positioning
import Store
import TimeAndText

// The problem: the dump says where each picture is, and the dump may come from anyone. A name such
// as `../../office/keys/authority.key`, or a link that leads there, would bring the office's own
// key in as a photo.
//
// The obvious idea: to join the names, and to check that the outcome begins with the folder's name.
// That does not see links, and the file may have become another one by the time it is opened.
//
// The solution: each part of a name is opened below the one before, from the folder on, and none of
// them may be a link. The file that was opened is the file that is read.

/// The folder with an older office's pictures: `AGENCY/USER/image_NUMBER.jpeg`.
final class PictureFolder {
  /// The reason why there is no picture.
  enum Flaw: Error, Equatable {
    /// There is no file.
    case missing(String)
    /// There is a file, but no picture that is taken.
    case unusable(String)
  }

  let path: String
  private let descriptor: Int32
  private let bytesAtMost: Int

  /// Opens the folder.
  /// - Throws: `OfficeRefusal` (input-invalid) if there is no such folder.
  init(_ path: String, bytesAtMost: Int) throws {
    self.path = path
    self.bytesAtMost = bytesAtMost
    descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw OfficeRefusal(
        .inputInvalid,
        "the folder of photos \(path) cannot be read: \(String(cString: strerror(errno)))")
    }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Returns the places where a photo's picture may be, the likeliest first: the one that its row
  /// names, and those where the older office put pictures.
  static func places(of row: OlderRow, agency: Int64, user: Int64) -> [String] {
    var places: [String] = []
    if let file = row.text("file_name") {
      let folder = row.text("path") ?? ""
      places.append(folder.hasSuffix("/") ? folder + file : folder + "/" + file)
    }
    for end in ["jpeg", "jpg"] { places.append("\(agency)/\(user)/image_\(row.number).\(end)") }
    return places
  }

  /// Returns the bytes of the first file that exists.
  /// - Throws: `Flaw`.
  func picture(at places: [String]) throws -> [UInt8] {
    var flaw: Flaw?
    var seen: [String] = []
    for place in places {
      for parts in Self.readings(place) where !seen.contains(parts.joined(separator: "/")) {
        seen.append(parts.joined(separator: "/"))
        do {
          return try bytes(of: parts)
        } catch let found as Flaw {
          // A file that is there and cannot be taken says more than one that is not there.
          if case .unusable = found { flaw = flaw ?? found }
        }
      }
    }
    throw flaw ?? .missing("there is no \(seen.first ?? places.first ?? "file") in the folder")
  }

  /// Returns a place as parts of a path below the folder: without everything up to `photos`, which
  /// is the folder's own name there, and as it is. Paths that lead upwards are left out.
  private static func readings(_ place: String) -> [[String]] {
    let parts = place.split(separator: "/").map(String.init).filter { $0 != "." }
    var readings: [[String]] = []
    if let start = parts.lastIndex(of: "photos") { readings.append(Array(parts[(start + 1)...])) }
    readings.append(parts)
    return readings.filter { parts in
      !parts.isEmpty && parts.count <= 16
        && parts.allSatisfy { $0 != ".." && $0.utf8.count <= 255 && !$0.utf8.contains(0) }
    }
  }

  private func bytes(of parts: [String]) throws -> [UInt8] {
    let name = OlderRow.shown(parts.joined(separator: "/"))
    var current = dup(descriptor)
    guard current >= 0 else { throw Flaw.unusable("\(name): \(String(cString: strerror(errno)))") }
    defer { close(current) }
    for (index, part) in parts.enumerated() {
      let isLast = index == parts.count - 1
      // The program must not wait for a pipe in the place of a file.
      let flags = O_RDONLY | O_NOFOLLOW | O_CLOEXEC | (isLast ? O_NONBLOCK : O_DIRECTORY)
      let next = openat(current, part, flags)
      guard next >= 0 else {
        let reason = errno
        if reason == ELOOP { throw Flaw.unusable("\(name) is a link: put the file itself there") }
        if reason == ENOTDIR, FileStatus.isLink(part, in: current) {
          throw Flaw.unusable("\(name) lies behind a link: put the folder itself there")
        }
        if reason == ENOENT || reason == ENOTDIR { throw Flaw.missing("there is no \(name)") }
        throw Flaw.unusable("\(name) cannot be read: \(String(cString: strerror(reason)))")
      }
      close(current)
      current = next
    }
    guard let status = FileStatus(ofDescriptor: current), status.isFile else {
      throw Flaw.unusable("\(name) is no file")
    }
    guard status.bytes > 0 else { throw Flaw.unusable("\(name) is empty") }
    guard status.bytes <= bytesAtMost else {
      throw Flaw.unusable("\(name) has more than \(bytesAtMost >> 20) MiB")
    }
    return try Self.read(current, status.bytes, name)
  }

  private static func read(_ descriptor: Int32, _ count: Int, _ name: String) throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var done = 0
    while done < count {
      let read = bytes.withUnsafeMutableBytes {
        Glibc.read(descriptor, $0.baseAddress?.advanced(by: done), count - done)
      }
      if read < 0, errno == EINTR { continue }
      guard read > 0 else {
        throw Flaw.unusable(
          "\(name) cannot be read: \(read < 0 ? String(cString: strerror(errno)) : "it became shorter")"
        )
      }
      done += read
    }
    return bytes
  }
}
