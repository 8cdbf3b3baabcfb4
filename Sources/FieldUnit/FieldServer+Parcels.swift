import Store

extension FieldServer {
  /// Fetches the parcels around the tasks of the inspector who is signed in. A failure harms nothing
  /// else.
  func bringParcels() async {
    do {
      guard let signIn = try desk.signedIn(), let unit = try unit(),
        let link = try link(to: signIn.office) as? any ParcelLink
      else { return }
      await neighbours.bringIfDue(from: unit, over: link)
    } catch {
      log.note("neighbouring parcels: \(error)")
    }
  }

  /// Tells the office of the photo points that were made here, and fetches those around the tasks. A
  /// failure harms nothing else.
  func bringPoints() async {
    do {
      guard let signIn = try desk.signedIn(), let unit = try unit(),
        let link = try link(to: signIn.office) as? any PhotoPointLink
      else { return }
      await points.bring(from: unit, over: link)
    } catch {
      log.note("photo points: \(error)")
    }
  }

  /// Fetches the earlier photos around the tasks. A failure harms nothing else.
  func bringEarlierPhotos() async {
    do {
      guard let signIn = try desk.signedIn(), let unit = try unit(),
        let link = try link(to: signIn.office) as? any EarlierPhotoLink
      else { return }
      await earlier.bring(from: unit, over: link)
    } catch {
      log.note("earlier photos: \(error)")
    }
  }
}
