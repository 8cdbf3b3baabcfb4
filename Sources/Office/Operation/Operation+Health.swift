import TimeAndText

extension Operation {
  /// Returns true if deliveries can be taken: the database can be read and written, files can be
  /// made, and the disk has its reserve. The reason for false is in the log only, since strangers
  /// may ask.
  package func isReady() async -> Bool {
    await readiness.answer(at: clock.elapsed) {
      do {
        try await database.checkReadiness()
        try photos.probe()
      } catch {
        configuration.log("not ready: \(error)")
        return false
      }
      return !core.disk.isLow(at: clock.elapsed)
    }
  }
}
