import Logging

/// Passes the few errors that the server library itself reports to the program's own log.
struct ServerLog: LogHandler {
  let log: @Sendable (String) -> Void
  var metadata: Logger.Metadata = [:]
  var logLevel: Logger.Level = .error

  func log(event: LogEvent) {
    let details = (event.metadata ?? [:]).sorted { $0.key < $1.key }
      .map { " \($0.key)=\($0.value)" }.joined()
    log("\(event.message)\(details)")
  }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }
}
