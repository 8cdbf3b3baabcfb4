import Crypto
import Foundation
import Positioning
import TestSupport
import Testing

@testable import Transparency

/// Merkle trees, against the published vectors and against a second implementation that follows the text of
/// RFC 9162 word for word, without a thought for speed.
@Suite("The log's tree")
struct TreeTests {
  // MARK: the second implementation

  private static func bytes(_ hexadecimal: String) -> [UInt8] {
    let digits = Array(hexadecimal)
    return stride(from: 0, to: digits.count, by: 2).map {
      UInt8(String(digits[$0...$0 + 1]), radix: 16) ?? 0
    }
  }

  /// MTH of section 2.1.1.
  private static func root(_ entries: ArraySlice<[UInt8]>) -> [UInt8] {
    switch entries.count {
    case 0: return Array(SHA256.hash(data: [UInt8]()))
    case 1: return Array(SHA256.hash(data: [0] + (entries.first ?? [])))
    default:
      var split = 1
      while split * 2 < entries.count { split *= 2 }
      let middle = entries.startIndex + split
      return Array(SHA256.hash(data: [1] + root(entries[..<middle]) + root(entries[middle...])))
    }
  }

  /// PATH of section 2.1.3.1.
  private static func path(_ entry: Int, _ entries: ArraySlice<[UInt8]>) -> [[UInt8]] {
    guard entries.count > 1 else { return [] }
    var split = 1
    while split * 2 < entries.count { split *= 2 }
    let middle = entries.startIndex + split
    return entry < split
      ? path(entry, entries[..<middle]) + [root(entries[middle...])]
      : path(entry - split, entries[middle...]) + [root(entries[..<middle])]
  }

  /// SUBPROOF of section 2.1.4.1.
  private static func subproof(
    _ size: Int, _ entries: ArraySlice<[UInt8]>, _ isWhole: Bool
  ) -> [[UInt8]] {
    if size == entries.count { return isWhole ? [] : [root(entries)] }
    var split = 1
    while split * 2 < entries.count { split *= 2 }
    let middle = entries.startIndex + split
    return size <= split
      ? subproof(size, entries[..<middle], isWhole) + [root(entries[middle...])]
      : subproof(size - split, entries[middle...], false) + [root(entries[..<middle])]
  }

  /// The hashes of all complete subtrees, as a tree keeps them.
  private static func nodes(_ entries: [[UInt8]]) -> (edge: TreeEdge, nodes: [TreeNode: TreeHash]) {
    var edge = TreeEdge()
    var nodes: [TreeNode: TreeHash] = [:]
    for entry in entries { edge.append(.leaf(entry)) { nodes[$0] = $1 } }
    return (edge, nodes)
  }

  private func hash(_ nodes: [TreeNode: TreeHash]) -> (TreeNode) throws -> TreeHash {
    { try #require(nodes[$0]) }
  }

  // MARK: the tests

  @Test("the published test vectors hold")
  func vectors() throws {
    let entries = [
      "", "00", "10", "2021", "3031", "40414243", "5051525354555657",
      "606162636465666768696a6b6c6d6e6f",
    ].map(Self.bytes)
    let roots = [
      "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
      "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
      "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
      "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
      "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
      "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
      "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
      "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
    ].map(Self.bytes)
    var edge = TreeEdge()
    #expect(edge.root == TreeHash.ofNothing)
    for (entry, root) in zip(entries, roots) {
      edge.append(.leaf(entry))
      #expect(edge.root.bytes == root, "size \(edge.size)")
    }
    let (_, nodes) = Self.nodes(entries)
    // The examples of RFC 6962 and its tests: the proof of entry 5 among 8, and of 6 entries before 8.
    let inclusion = try TreeShape(size: 8).inclusion(of: 5, hash(nodes))
    #expect(inclusion?.map(\.bytes) == Self.path(5, entries[...]))
    let consistency = try TreeShape(size: 8).consistency(from: 6, hash(nodes))
    #expect(
      consistency?.map(\.bytes).first == Self.root(entries[4..<6]) && consistency?.count == 3)
  }

  @Test("100,000 random trees have the roots and proofs of the second implementation")
  func agreement() throws {
    var random = SeededGenerator(seed: 9162)
    for number in 0..<100_000 {
      // Most are small, so that all of it is quick; each has entries of its own.
      let size = Int.random(in: number.isMultiple(of: 100) ? 9...70 : 1...8, using: &random)
      let entries = (0..<size).map { index in
        withUnsafeBytes(of: random.next()) { Array($0.prefix(index % 9)) }
      }
      let (edge, nodes) = Self.nodes(entries)
      let shape = TreeShape(size: size)
      let root = try shape.root(hash(nodes))
      try #require(root.bytes == Self.root(entries[...]) && root == edge.root)
      let entry = Int.random(in: 0..<size, using: &random)
      let inclusion = try #require(try shape.inclusion(of: entry, hash(nodes)))
      try #require(inclusion.map(\.bytes) == Self.path(entry, entries[...]))
      try #require(
        TreeProof.includes(
          .leaf(entries[entry]), at: entry, in: root, size: size, proof: inclusion))
      let earlier = Int.random(in: 1...size, using: &random)
      let consistency = try #require(try shape.consistency(from: earlier, hash(nodes)))
      try #require(consistency.map(\.bytes) == Self.subproof(earlier, entries[...], true))
      let before = try TreeShape(size: earlier).root(hash(nodes))
      try #require(
        TreeProof.extends(before, size: earlier, to: root, size: size, proof: consistency))
    }
  }

  @Test(
    "no proof holds for another entry, place, size or root, nor with a hash changed, added or left out"
  )
  func refusals() throws {
    var random = SeededGenerator(seed: 6962)
    let entries = (0..<70).map { [UInt8($0)] }
    let (_, nodes) = Self.nodes(entries)
    for size in 1...70 {
      let root = try TreeShape(size: size).root(hash(nodes))
      let entry = Int.random(in: 0..<size, using: &random)
      let proof = try #require(try TreeShape(size: size).inclusion(of: entry, hash(nodes)))
      func holds(_ proof: [TreeHash], at place: Int? = nil, size claimed: Int? = nil) -> Bool {
        TreeProof.includes(
          .leaf(entries[entry]), at: place ?? entry, in: root, size: claimed ?? size, proof: proof)
      }
      #expect(holds(proof))
      for place in [-1, entry + 1, entry - 1, size] { #expect(!holds(proof, at: place)) }
      #expect(!holds(proof + [root]))
      if !proof.isEmpty {
        #expect(!holds(proof.dropLast()) && !holds(Array(proof.dropFirst())))
        var changed = proof
        changed[Int.random(in: 0..<proof.count, using: &random)] = .ofNothing
        #expect(!holds(changed))
      }
      #expect(
        !TreeProof.includes(.ofNothing, at: entry, in: root, size: size, proof: proof))
      for earlier in 1...size {
        let before = try TreeShape(size: earlier).root(hash(nodes))
        let proof = try #require(
          try TreeShape(size: size).consistency(from: earlier, hash(nodes)))
        func extends(_ proof: [TreeHash], before: TreeHash) -> Bool {
          TreeProof.extends(before, size: earlier, to: root, size: size, proof: proof)
        }
        #expect(extends(proof, before: before))
        #expect(!extends(proof, before: .ofNothing) && !extends(proof + [root], before: before))
        if !proof.isEmpty { #expect(!extends(proof.dropLast(), before: before)) }
        #expect(
          !TreeProof.extends(root, size: size + 1, to: before, size: earlier, proof: proof))
      }
    }
    #expect(!TreeProof.extends(.ofNothing, size: 0, to: .ofNothing, size: 0, proof: []))
    #expect(TreeShape(size: 0).inclusion(of: 0) { _ in .ofNothing } == nil)
    #expect(TreeShape(size: 5).consistency(from: 6) { _ in .ofNothing } == nil)
    #expect(TreeShape(size: 5).consistency(from: 0) { _ in .ofNothing } == nil)
  }
}
