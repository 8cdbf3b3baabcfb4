import Evidence
import Store
import Sync

/// The office's base maps as field units are told of them: they are no agency's, and every device may have them.
package struct OfferedMaps {
  package let baseMaps: BaseMaps

  /// What is offered, by name; a name that may not travel is not.
  package func list() -> [MapListMessage.Map] {
    Array(
      baseMaps.all().compactMap { map($0.name)?.map }.prefix(MapListMessage.maximumMaps))
  }

  /// One of them, and its file.
  package func map(_ name: String) -> (map: MapListMessage.Map, archive: TileArchive)? {
    // The mark first: of a file that is replaced just now the next answer has another one.
    guard MapListMessage.isName(name), let mark = baseMaps.mark(name),
      let archive = baseMaps.archive(name)
    else { return nil }
    let digest = Digest.hexadecimal(Array("\(name) \(mark)".utf8)).prefix(32)
    return (
      MapListMessage.Map(
        name: name, title: String(archive.title.prefix(200)),
        attribution: archive.attribution.map { String($0.prefix(1000)) },
        mediaType: archive.mediaType, zooms: archive.zooms, mark: String(digest)), archive
    )
  }
}
