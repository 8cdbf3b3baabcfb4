import Foundation
import Imagery

// OpenCV and what it needs would take 10 MB from each command that never compares a picture, if the
// program were linked with it. It is linked into a library of its own, which only the worker loads.

/// The library that finds a picture in another one.
struct MatchingLibrary {
  private typealias Make = @convention(c) (UnsafePointer<UInt8>, Int32, Int32) -> OpaquePointer?
  private typealias Free = @convention(c) (OpaquePointer) -> Void
  private typealias Compare =
    @convention(c) (OpaquePointer, OpaquePointer, UnsafeMutableRawPointer) -> Int32
  private typealias Confine = @convention(c) (UInt64) -> Int32

  /// The library's file, which lies beside the program or in `../lib/standpoint`.
  static let fileName = "libStandpointMatching.so"

  private let make: Make
  private let free: Free
  private let compare: Compare
  private let confine: Confine

  /// The points of a picture.
  final class Features {
    fileprivate let pointer: OpaquePointer
    fileprivate let free: @convention(c) (OpaquePointer) -> Void
    /// The picture's size in pixels.
    let width: Int
    let height: Int

    fileprivate init(
      _ pointer: OpaquePointer, _ free: @escaping @convention(c) (OpaquePointer) -> Void,
      _ picture: GreyPicture
    ) {
      self.pointer = pointer
      self.free = free
      (width, height) = (picture.width, picture.height)
    }

    deinit { free(pointer) }
  }

  /// Loads the library.
  /// - Parameter folders: The folders in which its file may lie.
  /// - Throws: `MatchingError.unavailable`.
  init(folders: [String]) throws(MatchingError) {
    let paths = folders.map { $0 + "/" + Self.fileName }
    guard let path = paths.first(where: FileManager.default.fileExists(atPath:)) else {
      throw .unavailable(
        reason:
          "\(Self.fileName) is not there; it belongs into \(folders.joined(separator: " or "))"
      )
    }
    guard let handle = dlopen(path, RTLD_NOW | RTLD_LOCAL) else {
      throw .unavailable(reason: "\(path) cannot be loaded: \(Self.lastFault)")
    }
    func symbol<Function>(_ name: String, _: Function.Type) throws(MatchingError) -> Function {
      guard let found = dlsym(handle, name) else {
        throw .unavailable(reason: "\(path) is another version: it has no \(name)")
      }
      return unsafeBitCast(found, to: Function.self)
    }
    make = try symbol("matching_features_make", Make.self)
    free = try symbol("matching_features_free", Free.self)
    compare = try symbol("matching_compare", Compare.self)
    confine = try symbol("matching_confine", Confine.self)
  }

  /// The folders beside the running program in which the library is looked for.
  static var usualFolders: [String] { folders(beside: "/proc/self/exe") }

  /// Says why a program has no library, as far as this can be seen from outside.
  static func absence(beside program: String) -> String {
    let folders = folders(beside: program)
    let path = folders.map { $0 + "/" + fileName }
      .first(where: FileManager.default.fileExists(atPath:))
    return path.map { "\($0) cannot be loaded: the line before says why" }
      ?? "\(fileName) is not there; it belongs into \(folders.joined(separator: " or "))"
  }

  private static func folders(beside program: String) -> [String] {
    let program = URL(fileURLWithPath: program).resolvingSymlinksInPath()
    let folder = program.deletingLastPathComponent()
    return [
      folder.path,
      folder.deletingLastPathComponent().appendingPathComponent("lib/standpoint").path,
    ]
  }

  private static var lastFault: String {
    guard let text = dlerror() else { return "no reason given" }
    return String(cString: text)
  }

  /// Finds the points of a picture; nil if it is too small, or without memory for it.
  func features(of picture: GreyPicture) -> Features? {
    let found = picture.pixels.withUnsafeBufferPointer { pixels in
      pixels.baseAddress.flatMap { make($0, Int32(picture.width), Int32(picture.height)) }
    }
    return found.map { Features($0, free, picture) }
  }

  /// Compares two pictures: the pairs of points that agree on one map, the cells of 8 by 8 in which
  /// they lie, and the map between squares of 1 × 1, row by row. Nil without memory for it.
  func compare(_ earlier: Features, _ later: Features)
    -> (inliers: Int32, cells: Int32, rows: [Double])?
  {
    // The C structure: two numbers of four bytes, and nine of eight.
    withUnsafeTemporaryAllocation(byteCount: 80, alignment: 8) { answer in
      guard let place = answer.baseAddress, compare(earlier.pointer, later.pointer, place) != 0
      else { return nil }
      let pixels = (0..<9).map {
        answer.load(fromByteOffset: 8 + 8 * $0, as: Double.self)
      }
      let (ownWidth, ownHeight) = (Double(earlier.width), Double(earlier.height))
      let columns = [ownWidth, ownHeight, 1]
      let rows = [Double(later.width), Double(later.height), 1]
      let scaled = (0..<9).map { pixels[$0] * columns[$0 % 3] / rows[$0 / 3] }
      return (
        answer.load(as: Int32.self), answer.load(fromByteOffset: 4, as: Int32.self), scaled
      )
    }
  }

  /// Gives up files, network, other processes, and memory beyond a limit, for good.
  func confine(memoryBytes: Int) -> Bool { confine(UInt64(memoryBytes)) != 0 }
}
