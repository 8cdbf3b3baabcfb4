import Testing

@Suite("Reads of a store") struct StoreReadsTests {
  @Test(
    "what is given back, and what is no store, may fail silently",
    arguments: [
      "defer { try? store.close() }", "let a = try? JSONValue(parsing: bytes)",
      "try? database.execute(sql: \"DETACH DATABASE staging\")", "// try? store.read()",
      "let b = try store.read(in: agency) { 1 }", "_ = try? session.ofAdapter(\"StopDiscovery\")",
      "try? FileManager.default.removeItem(atPath: store)",
    ])
  func green(line: String) {
    #expect(StoreReads.complaints(path: "S.swift", source: line).isEmpty)
  }

  @Test(
    "a read whose failure looks like nothing is named with file and line",
    arguments: [
      "guard let seal = try? session.seal(of: id) else { return }",
      "let known = try? office.database.read(in: agency) { true }",
      "let person = (try? desk.signedIn())?.person", "let a = (try? store?.everybody()) ?? []",
      "let u = try? await server.unit()", "let p = (try? reader.unit.photos(.all)) ?? []",
      "return (try? photos.holds(name)) == true",
    ])
  func red(line: String) {
    #expect(
      StoreReads.complaints(path: "S.swift", source: "\n" + line).first?.hasPrefix("S.swift:2: ")
        == true)
  }
}
