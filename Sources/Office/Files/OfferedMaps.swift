import Evidence
import Store
import Sync

/// The office's base maps as they are offered to field units. They belong to no agency, and every
/// device may have them.
package struct OfferedMaps {
  /// The installed base maps.
  package let baseMaps: BaseMaps

  /// Returns the offered maps, by name; a map whose name is not allowed in messages is left out.
  package func list() -> [MapListMessage.Map] {
    Array(
      baseMaps.all().compactMap { map($0.name)?.map }.prefix(MapListMessage.maximumMaps))
  }

  /// Returns one of the maps, and its file; nil if there is none of this name, or the name is not
  /// allowed in messages.
  package func map(_ name: String) -> (map: MapListMessage.Map, archive: TileArchive)? {
    // The mark is read first: if the file is replaced just now, the next answer has another mark.
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
