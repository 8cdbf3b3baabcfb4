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
}
