import Office
import TimeAndText
import Web

/// The routes for the people who run the office: if it lives, if it can work, and its figures.
package struct OperationRoutes {
  let office: OfficeServer

  /// Creates the routes of an office.
  package init(office: OfficeServer) { self.office = office }

  /// Adds the routes.
  package func add(to routes: inout Routes) {
    // Both need no sign-in: the answer is yes or no, and costs next to nothing.
    routes.get("/health/live", machine: true) { _ in .empty(204) }
    routes.get("/health/ready", machine: true) { _ in
      guard await office.operation.isReady() else {
        return .problem(
          OfficeRefusal(
            .notReady, "the office cannot take deliveries just now; its log has the reason",
            retrySeconds: 30
          ).problem)
      }
      return .json(Array("{\"ready\":true}".utf8))
    }
    routes.get("/metrics", machine: true) { request in
      guard office.operation.mayReadMetrics(token: request.bearerToken) else {
        let refusal = OfficeRefusal(
          .tokenMissing,
          "figures are shown for Authorization: Bearer, with the token of keys/metrics.token")
        return .problem(refusal.problem).setting(header: "WWW-Authenticate", to: "Bearer")
      }
      return await .bytes(office.operation.metrics().bytes, mediaType: MetricsText.mediaType)
        .setting(header: "Cache-Control", to: "no-store")
    }
  }
}
