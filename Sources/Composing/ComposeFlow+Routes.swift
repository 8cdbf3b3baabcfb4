import Web

extension ComposeFlow {
  /// Puts a page's middle into its side's frame.
  public typealias Frame = (ComposePage) -> WebResponse
  /// Answers a request with the pages of its reader.
  public typealias Answer = @Sendable (ComposeFlow<Site>, Frame) async throws -> WebResponse

  /// Adds all addresses of the pages.
  /// - Parameter reading: finds the reader of a request, and lets the pages answer.
  public static func add(
    to routes: inout Routes,
    _ reading: @escaping @Sendable (WebRequest, Answer) async throws -> WebResponse
  ) {
    ComposeView.add(to: &routes)
    let path = ComposeView.path
    routes.get(path) { request in
      try await reading(request) { try await $0.show(request, $1) }
    }
    routes.post(path) { request in
      try await reading(request) { try await $0.make(try await request.form(), $1) }
    }
    routes.get(path + "/choose") { request in
      try await reading(request) { $1(try await $0.choose(request)) }
    }
    routes.get(path + "/preview.jpg") { request in
      try await reading(request) { flow, _ in try await flow.preview(request) }
    }
    routes.get(path + "/photo.jpg") { request in
      try await reading(request) { flow, _ in try await flow.photo(request) }
    }
    routes.get(CompositeParts.path) { request in
      try await reading(request) { $1(try await $0.list()) }
    }
    addOne(to: &routes, reading)
  }

  private static func addOne(
    to routes: inout Routes,
    _ reading: @escaping @Sendable (WebRequest, Answer) async throws -> WebResponse
  ) {
    let one = CompositeParts.path + "/{id}"
    @Sendable func id(_ request: WebRequest) -> String { request.parameters["id"] ?? "" }
    routes.get(one) { request in
      try await reading(request) { $1(try await $0.whole(id(request))) }
    }
    routes.get(one + "/composite.jpg") { request in
      try await reading(request) { flow, _ in
        try await flow.file(id(request), isDownload: request.query["download"] != nil)
      }
    }
    routes.get(one + "/thumbnail.jpg") { request in
      try await reading(request) { flow, _ in try await flow.thumbnail(id(request)) }
    }
    routes.get(one + "/change") { request in
      try await reading(request) { flow, _ in try await flow.change(id(request)) }
    }
    routes.post(one + "/remove") { request in
      try await reading(request) { flow, _ in try await flow.remove(id(request)) }
    }
  }
}
