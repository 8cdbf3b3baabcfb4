import Foundation
import TestSupport
import Testing

/// Tests of base maps and offline areas as people type them, without a network.
@Suite("Base maps and offline areas from a terminal")
struct MapCommandTests {
  /// An address at which nobody listens.
  private static let nobody = "http://127.0.0.1:9"

  private func run(
    _ arguments: [String], data: URL, input: String = ""
  ) async throws -> Program.Outcome {
    try await Program.run(
      Program.standpoint, arguments,
      environment: [
        "HOME": "/nonexistent", "XDG_CONFIG_HOME": "/nonexistent", "STANDPOINT_DATA": data.path,
      ], input: Data(input.utf8))
  }

  @Test("an agency's base maps are added, listed, shown first and removed")
  func office() async throws {
    try await withTemporaryDirectory { data in
      func maps(_ words: [String], input: String = "") async throws -> Program.Outcome {
        try await run(
          ["office", "maps"] + words + ["--agency", "north"], data: data, input: input)
      }
      #expect(try await run(["office", "agency", "add", "north"], data: data).status == 0)
      let none = try await maps([])
      #expect(none.status == 0 && none.output == "", "\(none.errors)")
      let file = data.appendingPathComponent("land.mbtiles").path
      try BaseMapFixture.write(to: file)
      let imported = try await maps(["import", file])
      #expect(imported.output == "  land  file  0-2  Land\n", "\(imported.errors)")
      let added = try await maps(
        [
          "add", Self.nobody + "/{z}/{x}/{y}.png", "--kind", "xyz", "--title", "Tiles", "--zooms",
          "3-9", "--attribution", "Survey", "--user", "anna", "--password-stdin", "--untested",
        ], input: "over the far hills\n")
      #expect(added.output == "  tiles  xyz  3-9  Tiles\n", "\(added.errors)")
      let list = try await maps(["list"])
      #expect(
        list.output == "* tiles  xyz  3-9  Tiles\n  land  file  0-2  Land\n", "\(list.errors)")
      #expect(try await maps(["first", "land"]).output == "land is shown first\n")
      let told = try await maps(["list", "--format", "json"])
      let lines = told.output.split(separator: "\n")
      #expect(lines.count == 2 && lines.first?.contains("\"name\":\"land\"") == true)
      for member in [
        "\"kind\":\"xyz\"", "\"first\":false", "\"attribution\":\"Survey\"", "\"leastZoom\":3",
        "\"address\":\"\(Self.nobody)/{z}/{x}/{y}.png\"",
      ] {
        #expect(lines.last?.contains(member) == true, "\(told.output)")
      }
      #expect(!told.output.contains("hills"), "the password is in no list")
      #expect(try await maps(["remove", "tiles"]).output == "removed tiles\n")
      #expect(try await maps(["remove", "land"]).output == "removed land\n")
      #expect(try await maps(["list"]).output == "")
      let folder = data.path + "/office/maps/agency-north"
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
    }
  }

  @Test("what cannot be a base map is said in a line with its status, and adds nothing")
  func refused() async throws {
    try await withTemporaryDirectory { data in
      #expect(try await run(["office", "agency", "add", "north"], data: data).status == 0)
      let text = data.appendingPathComponent("text.mbtiles").path
      try Data("no archive".utf8).write(to: URL(fileURLWithPath: text))
      let tiles = Self.nobody + "/{z}/{x}/{y}"
      for (words, status, said) in [
        (["add", tiles, "--kind", "xyz"], 3, "nothing is listening there"),
        (["add", tiles, "--kind", "odd"], 2, "--kind odd is unknown"),
        (["add", tiles, "--kind", "xyz", "--zooms", "9-3"], 2, "--zooms 9-3"),
        (["add", "https://t.example/tiles", "--kind", "xyz"], 2, "lacks {z}"),
        (["add", "https://a:b@maps.example", "--kind", "wms"], 2, "their own fields"),
        (["add", "http://169.254.169.254/wms", "--kind", "wms"], 2, "network equipment"),
        (["add", "https://maps.example/wms", "--kind", "wms"], 2, "Give --layer"),
        (
          ["add", Self.nobody + "/wms", "--kind", "wms", "--layer", "a"], 3, "nothing is listening"
        ),
        (["import", text], 2, "cannot be a base map"),
        (["import", data.path + "/none.mbtiles"], 2, "cannot be a base map"),
        (["test", "tiles"], 2, "there is no base map tiles"),
        (["first", "tiles"], 2, "there is no base map tiles"),
        (["remove", "tiles"], 2, "there is no base map tiles"),
      ] as [([String], Int32, String)] {
        let outcome = try await run(
          ["office", "maps"] + words + ["--agency", "north"], data: data)
        #expect(outcome.status == status, "\(words): \(outcome.errors)")
        #expect(outcome.output == "" && outcome.errors.contains(said), "\(outcome.errors)")
      }
      let layers = try await run(
        ["office", "maps", "layers", Self.nobody + "/wms", "--kind", "wms"], data: data)
      #expect(layers.status == 3 && layers.errors.contains("nothing is listening there"))
      for words in [["list"], ["remove", "a"], ["add", tiles, "--kind", "xyz", "--untested"]] {
        let nowhere = try await run(
          ["office", "maps"] + words + ["--agency", "nort"], data: data)
        #expect(nowhere.status == 2 && nowhere.errors.contains("nort"), "\(words)")
      }
      // A file that all agencies share is for no one of them to remove, and a broken one is said.
      try BaseMapFixture.write(to: data.path + "/office/maps/common.mbtiles")
      try Data("no archive".utf8).write(
        to: URL(fileURLWithPath: data.path + "/office/maps/broken.mbtiles"))
      let list = try await run(["office", "maps", "--agency", "north"], data: data)
      #expect(list.status == 0 && list.output == "* common  shared  0-2  Land\n")
      #expect(list.errors.contains("broken cannot be used"), "\(list.errors)")
      let kept = try await run(
        ["office", "maps", "remove", "common", "--agency", "north"], data: data)
      #expect(kept.status == 2 && kept.errors.contains("all agencies share"))
    }
  }

  @Test("areas are added, listed and deleted; fetching needs a sign-in")
  func areas() async throws {
    try await withTemporaryDirectory { data in
      let none = try await run(["maps"], data: data)
      #expect(none.status == 0 && none.output == "", "\(none.errors)")
      let box = ["--box", "16.60,49.06,16.66,49.10"]
      let added = try await run(["maps", "add", "--name", "Hills"] + box, data: data)
      #expect(added.status == 0 && added.output.contains("  Hills  zoom 17  "), "\(added.errors)")
      let id = try #require(added.output.split(separator: " ").first.map(String.init))
      let list = try await run(["maps", "list", "--format", "json"], data: data)
      for member in [
        "\"id\":\"\(id)\"", "\"name\":\"Hills\"", "\"zoom\":17", "\"partsHere\":0",
        "\"isStopped\":false",
      ] {
        #expect(list.output.contains(member), "\(list.output)")
      }
      for (words, status, said) in [
        (["add", "--box", "16.60,49.06,16.66"], 2, "is not west,south,east,north"),
        (["add", "--box", "16.60,49.10,16.66,49.06"], 2, "is not west,south,east,north"),
        (["add", "--box", "16.60,x,16.66,49.06"], 2, "is not west,south,east,north"),
        (["add", "--box", "nan,0,inf,1"], 2, "is not west,south,east,north"),
        (["add", "--box", "0,10,90,80"], 2, "too large"),
        (["add", "--zoom", "15"] + box, 2, "how much detail"),
        (["fetch"], 1, "nobody is signed in"), (["delete", "x"], 2, "no such area"),
        (["delete", "0190a5c0-7d2e-7cc3-98c4-dc0c0c07398f"], 2, "no such area"),
      ] as [([String], Int32, String)] {
        let outcome = try await run(["maps"] + words, data: data)
        #expect(outcome.status == status, "\(words): \(outcome.errors)")
        #expect(outcome.output == "" && outcome.errors.contains(said), "\(outcome.errors)")
      }
      #expect(try await run(["maps", "delete", id], data: data).output == "deleted \(id)\n")
      #expect(try await run(["maps", "list"], data: data).output == "")
    }
  }
}
