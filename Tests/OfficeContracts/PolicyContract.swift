import Evidence
import Inspection
import Office
import Positioning
import Store
import Sync
import Testing
import TimeAndText

@Suite("The contract of capture policies", .timeLimit(.minutes(2)))
struct PolicyContract {
  @Test(
    "the policy in force is the highest revision, and each revision stays readable",
    arguments: OfficeEngines.all)
  func revisions(engine: OfficeEngine) async throws {
    let signer = try OfficeSigner()
    let policies = try (1...3).map { try signer.policy($0) }
    let southern = try signer.policy(7, of: "south")
    try await engine.withOffice { database in
      #expect(try await database.read(in: "north") { try $0.policies.current() } == nil)
      try await database.write(in: "south") { try $0.policies.insert(southern, by: "sara") }
      for policy in policies {
        try await database.write(in: "north") { try $0.policies.insert(policy, by: "otto") }
        #expect(try await database.read(in: "north") { try $0.policies.current() } == policy)
      }
      try await database.read(in: "north") { session throws -> Void in
        for policy in policies {
          #expect(try session.policies.revision(policy.policy.revision) == policy)
        }
        for revision in [0, 4, 7, -1] {
          #expect(try session.policies.revision(revision) == nil)
        }
      }
      #expect(try await database.read(in: "south") { try $0.policies.current() } == southern)
    }
  }

  @Test("a revision is issued once", arguments: OfficeEngines.all)
  func duplicates(engine: OfficeEngine) async throws {
    let signer = try OfficeSigner()
    // Two signatures over the same policy differ.
    let (first, second) = (try signer.policy(1), try signer.policy(1))
    let southern = try signer.policy(1, of: "south")
    try await engine.withOffice { database in
      try await database.write(in: "north") { try $0.policies.insert(first, by: "otto") }
      await #expect(throws: StoreError.self) {
        try await database.write(in: "north") { try $0.policies.insert(second, by: "otto") }
      }
      #expect(try await database.read(in: "north") { try $0.policies.current() } == first)
      try await database.write(in: "south") { try $0.policies.insert(southern, by: "sara") }
      #expect(try await database.read(in: "south") { try $0.policies.revision(1) } == southern)
    }
  }

  @Test("an agency's usual reasons are replaced as a whole", arguments: OfficeEngines.all)
  func reasons(engine: OfficeEngine) async throws {
    try await engine.withOffice { database in
      #expect(try await database.read(in: "north") { try $0.policies.returnReasons() } == [])
      for reasons in [["blurred", "wrong parcel", "blurred"], ["too dark"], []] {
        try await database.write(in: "south") { try $0.policies.setReturnReasons(["südlich"]) }
        try await database.write(in: "north") { try $0.policies.setReturnReasons(reasons) }
        #expect(try await database.read(in: "north") { try $0.policies.returnReasons() } == reasons)
        #expect(
          try await database.read(in: "south") { try $0.policies.returnReasons() } == ["südlich"])
      }
    }
  }
}
