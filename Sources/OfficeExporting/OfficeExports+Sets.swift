import Evidence
import Exports
import Inspection
import Office
import Store
import Sync
import TimeAndText

/// The sets of pictures that devices have delivered.
extension OfficeExports {
  /// Returns a set with its frames, and the SHA-256 of its record.
  /// - Parameter inspector: the login that the set must belong to; nil for any of the agency.
  /// - Throws: `StoreError.unknown`; `OfficeRefusal` if its record or its list is not here.
  package func frameSet(
    _ id: Identifier, in agency: String, ofInspector inspector: String?
  ) async throws -> (set: FrameSet, record: String) {
    try await database.read(in: agency, ofInspector: inspector) { session in
      try frameSet(session.sets.set(id), session)
    }
  }

  /// Returns a set with its frames as its sealed list has them, and the SHA-256 of its record.
  func frameSet(
    _ received: ReceivedSet, _ session: any ReadingTransaction
  ) throws -> (set: FrameSet, record: String) {
    let head = received.head
    let kind = RecordKind(head.kind)
    guard let seal = try session.seals.seal(of: head.id, kind),
      let list = try photos.bytes(of: EvidenceName.file(kind, head.id))
    else {
      throw OfficeRefusal(
        .unknown, "the set's record or list is missing: run standpoint office check")
    }
    var set = try seal.frameSet(list: list)
    set.task = head.task
    return (set, seal.seal.link.record)
  }

  /// Returns the bytes of a frame, as they are here.
  /// - Parameter number: the frame's number, from 1.
  package func frame(_ number: Int, of set: FrameSet) throws -> [UInt8] {
    let name = EvidenceName.part(.frame(number), RecordKind(set.terms.kind), set.id)
    guard set.frames.indices.contains(number - 1), let bytes = try photos.bytes(of: name) else {
      throw StoreError.unknown(what: "picture", id: "\(number)")
    }
    return bytes
  }

  /// Returns the bytes of a frame, which were compared with the digest that was sealed.
  package func sealedFrame(_ number: Int, of set: FrameSet) throws -> [UInt8] {
    let bytes = try frame(number, of: set)
    guard Digest.hexadecimal(bytes) == set.frames[number - 1].digest else {
      throw StoreError.unavailable(
        path: EvidenceName.part(.frame(number), RecordKind(set.terms.kind), set.id),
        reason: "its bytes are not those that were sealed")
    }
    return bytes
  }

  /// Returns the parts of a PDF that show a task's sets, the oldest first.
  func setParts(
    ofTask id: Identifier, in agency: String, ofInspector inspector: String?,
    _ names: [String: String]
  ) async throws -> [Dossier.SetPart] {
    try await database.read(in: agency, ofInspector: inspector) { session in
      try session.sets.list(.task(id)).map { try frameSet($0, session) }
    }.map { set, record in
      Dossier.SetPart(set, inspectorName: names[set.inspector], record: record) { number in
        try sealedFrame(number, of: set)
      }
    }
  }
}
