import Dispatch
import Foundation
import Imagery
import Synchronization

/// A photo's picture, small enough for a page.
///
/// To make one is nearly all of the work of a dossier: some of them are made at the same time, but no more than
/// there are processors, so that memory holds a handful of large pictures and never all of them.
struct PDFPicture: Sendable {
  /// Why there is none.
  struct Refusal: Error {
    var reason: String
  }

  let jpeg: [UInt8]
  /// Pixels, as the file stores them.
  let width: Int
  let height: Int
  let turn: PictureTurn
  /// What of the file cannot be read; nil where all can.
  let damage: String?

  /// Sides when it stands upright.
  var upright: (width: Int, height: Int) {
    turn.swapsSides ? (height, width) : (width, height)
  }

  /// Pictures that are made at the same time.
  static let atOnce = min(max(sysconf(Int32(_SC_NPROCESSORS_ONLN)), 1), 4)

  private init(of file: [UInt8]) throws {
    let small = try PrintPicture(of: file)
    jpeg = small.jpeg
    (width, height) = (small.widthPixels, small.heightPixels)
    turn = PictureTurn(jpeg: file)
    damage = small.damage.map { "\($0)" }
  }

  /// The pictures of some photos, whose files are read one after the other.
  static func made(of parts: some Sequence<Dossier.PhotoPart>) -> [Result<PDFPicture, Refusal>] {
    let files = parts.map { part in
      Result { try part.jpeg() }.mapError { Refusal(reason: "\($0)") }
    }
    let made = Mutex<[Int: Result<PDFPicture, Refusal>]>([:])
    DispatchQueue.concurrentPerform(iterations: files.count) { index in
      let picture = files[index].flatMap { file in
        Result { try PDFPicture(of: file) }.mapError { Refusal(reason: "\($0)") }
      }
      made.withLock { $0[index] = picture }
    }
    return made.withLock { made in
      files.indices.map { made[$0] ?? .failure(Refusal(reason: "it was not read")) }
    }
  }
}
