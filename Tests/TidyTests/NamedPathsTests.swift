import Testing

@Suite("Named paths") struct NamedPathsTests {
  private func complaints(_ markdown: String) -> [String] {
    NamedPaths.complaints(document: "README.md", markdown: markdown) {
      ["Sources/Geodesy", "LICENSE", "scripts/setup.sh"].contains($0)
    }
  }

  @Test("paths that exist, placeholders and other words pass")
  func green() {
    #expect(
      complaints(
        """
        `Sources/Geodesy` under `LICENSE`, made by `scripts/setup.sh --tests`.
        `docs/decisions/NNNN-title.md`, `Sources/<module>/Fix.swift` and `Tests/*` are patterns.
        `out/demo`, `and/or` and `gpsd://HOST` are no paths of ours; docs/absent.md has no backticks.
        ```
        ls `Sources/Nowhere`
        ```
        """
      ).isEmpty)
  }

  @Test("a path that is not there is named with document and line")
  func red() {
    #expect(
      complaints("# Title\nSee `Sources/Nowhere/Fix.swift`, `Makefile` and `scripts/absent.sh -x`.")
        == [
          "README.md:2: names `Sources/Nowhere/Fix.swift`, which is not there",
          "README.md:2: names `Makefile`, which is not there",
          "README.md:2: names `scripts/absent.sh`, which is not there",
        ])
  }
}
