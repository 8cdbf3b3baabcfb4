import Dispatch
import Foundation
import Imagery
import Synchronization

/// A photo's picture, small enough for a page.
///
/// Making the pictures is nearly all of the work of a dossier. Some of them are made at the same
/// time, but no more than there are processors, so that memory holds a handful of large pictures
/// and never all of them.
package struct PDFPicture: Sendable {
  /// The reason why there is no picture.
  package struct Refusal: Error {
    package var reason: String
  }

  package let jpeg: [UInt8]
  /// The same picture for the sheet of small pictures; nil if none was asked for.
  package let small: [UInt8]?
  /// The width and height in pixels, as the file stores them.
  package let width: Int
  package let height: Int
  package let turn: PictureTurn
  /// The description of the file's damage; nil if the file is not damaged.
  package let damage: String?

  /// The width and height of the upright picture, in pixels.
  package var upright: (width: Int, height: Int) {
    turn.swapsSides ? (height, width) : (width, height)
  }

  /// The number of pictures that are made at the same time, 1 to 4.
  package static let atOnce = min(max(sysconf(Int32(_SC_NPROCESSORS_ONLN)), 1), 4)

  private init(of file: [UInt8], smallSide: Int?) throws {
    let print = try PrintPicture(of: file, smallSidePixels: smallSide)
    (jpeg, small) = (print.jpeg, print.small)
    (width, height) = (print.widthPixels, print.heightPixels)
    turn = PictureTurn(jpeg: file)
    damage = print.damage.map { "\($0)" }
  }

  /// The most pixels that all pictures made at the same time have together. The decoder of a
  /// progressive JPEG keeps all of them, two bytes for each sample, before it returns the first.
  package static let pixelsAtOnce = 64_000_000

  /// Groups neighbouring pictures so that no group has more than `pixelsAtOnce` pixels; a picture
  /// that alone has more gets a group of its own.
  package static func groups(of pixels: [Int]) -> [Range<Int>] {
    var groups: [Range<Int>] = []
    var (start, sum) = (0, 0)
    for (index, count) in pixels.enumerated() {
      if index > start, sum + count > pixelsAtOnce {
        groups.append(start..<index)
        (start, sum) = (index, 0)
      }
      sum += count
    }
    if start < pixels.count { groups.append(start..<pixels.count) }
    return groups
  }

  /// Pictures that are being made on other threads, while the pages of those before are drawn.
  package final class Making: Sendable {
    private let made = Mutex<[Result<PDFPicture, Refusal>]>([])
    private let end = DispatchGroup()

    /// Reads files one after the other on the calling thread, and then begins to make their pictures.
    /// - Parameter smallSide: the longer side of the small pictures, in pixels; nil for none.
    package init(reading files: [() throws -> [UInt8]], smallSide: Int? = nil) {
      let files = files.map { read in
        Result { try read() }.mapError { Refusal(reason: "\($0)") }
      }
      DispatchQueue.global(qos: .userInitiated).async(group: end) { [self] in
        let pictures = PDFPicture.made(of: files, smallSide: smallSide)
        made.withLock { $0 = pictures }
      }
    }

    /// Waits until all pictures are made, and returns them in the photos' order.
    package func pictures() -> [Result<PDFPicture, Refusal>] {
      end.wait()
      return made.withLock(\.self)
    }
  }

  private static func made(
    of files: [Result<[UInt8], Refusal>], smallSide: Int?
  ) -> [Result<PDFPicture, Refusal>] {
    // A file that is no readable picture counts 0 pixels: it needs no memory, since it is refused
    // at once.
    let pixels = files.map { file in
      (try? JPEGPicture.inspect(file.get())).map { $0.widthPixels * $0.heightPixels } ?? 0
    }
    let made = Mutex<[Int: Result<PDFPicture, Refusal>]>([:])
    for group in groups(of: pixels) {
      DispatchQueue.concurrentPerform(iterations: group.count) { number in
        let index = group.lowerBound + number
        let picture = files[index].flatMap { file in
          Result { try PDFPicture(of: file, smallSide: smallSide) }.mapError {
            Refusal(reason: "\($0)")
          }
        }
        made.withLock { $0[index] = picture }
      }
    }
    return made.withLock { made in
      files.indices.map { made[$0] ?? .failure(Refusal(reason: "it was not read")) }
    }
  }
}
