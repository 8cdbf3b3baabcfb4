import Store

extension FieldServer {
  /// Tells the office how far the inspector is, and fetches, one after the other, what comes from the office for the tasks of the inspector who is
  /// signed in: the files of their orders, then the parcels, photo points and earlier photos around them.
  func bringSurroundings() async {
    await bring("progress") { (unit, link: any ProgressLink) in
      try await unit.delivery.tellProgress(over: link)
    }
    await bring("files of orders") { (unit, link: any OrderFileLink) in
      await files.bring(from: unit, over: link)
    }
    await bring("neighbouring parcels") { (unit, link: any ParcelLink) in
      await neighbours.bringIfDue(from: unit, over: link)
    }
    await bring("photo points") { (unit, link: any PhotoPointLink) in
      await points.bring(from: unit, over: link)
    }
    await bring("earlier photos") { (unit, link: any EarlierPhotoLink) in
      await earlier.bring(from: unit, over: link)
    }
  }

  /// Fetches one kind of things. A failure harms nothing else, and a link that does not know them
  /// brings none.
  private func bring<Link>(
    _ title: String, _ body: (InspectorUnit, Link) async throws -> Void
  ) async {
    do {
      guard let signIn = try desk.signedIn(), let unit = try unit(),
        let link = try link(to: signIn.office) as? Link
      else { return }
      try await body(unit, link)
    } catch {
      log.note("\(title): \(error)")
    }
  }
}
