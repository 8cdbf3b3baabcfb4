import CDBus

/// The reason why a call over the system bus failed.
package struct BusFailure: Error, Hashable, Sendable {
  /// The error's name, such as `org.bluez.Error.AuthenticationFailed`.
  package let name: String
  /// The error's words, in the language of the other side.
  package let words: String

  /// Creates a failure.
  package init(name: String, words: String) {
    (self.name, self.words) = (name, words)
  }

  /// True if no service of that name is on the bus.
  package var isAbsence: Bool {
    [
      "org.freedesktop.DBus.Error.ServiceUnknown", "org.freedesktop.DBus.Error.NameHasNoOwner",
    ].contains(name) || name.hasPrefix("org.freedesktop.DBus.Error.Spawn")
  }

  /// True if the service did not answer in time.
  package var isSilence: Bool { name == "org.freedesktop.DBus.Error.NoReply" }

  /// True if the machine's policy forbids the call.
  package var isForbidden: Bool {
    name.hasSuffix(".AccessDenied") || name.hasSuffix(".Unauthorized")
      || name.hasSuffix(".PermissionDenied")
  }
}

/// A connection to the machine's system bus, through libdbus. Only one thread uses it, and its
/// calls block that thread.
package final class SystemBus {
  private let connection: OpaquePointer
  /// Answers a call from another program, by its member and arguments; nil if the call is unknown.
  package var answer: ((_ member: String, _ arguments: [BusValue]) -> Answer?)?

  /// Hears a signal that was asked for, by the path of its object and its arguments.
  package var heard: ((_ path: String, _ arguments: [BusValue]) -> Void)?

  /// The answer to a call from another program.
  package enum Answer {
    case values([BusValue])
    case refusal(name: String, words: String)
  }

  /// Opens a private connection.
  package init() throws(BusFailure) {
    var error = DBusError()
    dbus_error_init(&error)
    guard let connection = dbus_bus_get_private(DBUS_BUS_SYSTEM, &error) else {
      throw Self.failure(&error)
    }
    dbus_connection_set_exit_on_disconnect(connection, 0)
    self.connection = connection
  }

  deinit {
    dbus_connection_close(connection)
    dbus_connection_unref(connection)
  }

  /// Calls a method and waits for its answer. Calls from other programs are answered in the meantime.
  /// - Parameter startsService: True if the bus may start the service when it is not running.
  package func call(
    _ service: String, _ path: String, _ interface: String, _ member: String,
    _ arguments: [BusValue] = [], seconds: Double = 25, startsService: Bool = true
  ) throws(BusFailure) -> [BusValue] {
    let message = try message(service, path, interface, member)
    defer { dbus_message_unref(message) }
    dbus_message_set_auto_start(message, startsService ? 1 : 0)
    guard BusValue.append(arguments, to: message) else { throw Self.noMemory }
    return try send(message, seconds: seconds)
  }

  /// Returns each object of a service with its interfaces and their properties.
  package func objects(
    of service: String, at path: String, seconds: Double
  ) throws(BusFailure) -> [String: BusValue] {
    // An administrator may have stopped ModemManager, because it probes receivers on a tty, so the
    // call must not start it.
    try call(
      service, path, "org.freedesktop.DBus.ObjectManager", "GetManagedObjects", seconds: seconds,
      startsService: false
    ).first?.dictionary ?? [:]
  }

  /// Sets a property.
  package func set(
    _ service: String, _ path: String, _ interface: String, _ name: String, _ value: BusValue
  ) throws(BusFailure) {
    let message = try message(service, path, "org.freedesktop.DBus.Properties", "Set")
    defer { dbus_message_unref(message) }
    guard BusValue.property(interface, name, value, to: message) else { throw Self.noMemory }
    _ = try send(message, seconds: 25)
  }

  /// Asks the bus for a signal, which `heard` hears while this connection is served or waits.
  package func listen(to member: String, of interface: String) {
    dbus_bus_add_match(connection, "type='signal',interface='\(interface)',member='\(member)'", nil)
  }

  /// Answers calls from other programs for `seconds`.
  /// - Returns: false if the bus has gone.
  @discardableResult
  package func serve(seconds: Double) -> Bool {
    let end = ContinuousClock.now + .seconds(seconds)
    while ContinuousClock.now < end {
      guard pump(milliseconds: 50) else { return false }
    }
    return true
  }

  private static let noMemory = BusFailure(name: "memory", words: "no memory")

  private func message(
    _ service: String, _ path: String, _ interface: String, _ member: String
  ) throws(BusFailure) -> OpaquePointer {
    // Paths come from services, and libdbus ends the program for one that is malformed.
    guard dbus_validate_path(path, nil) != 0 else {
      throw BusFailure(name: "malformed", words: "a service named an object that cannot be")
    }
    guard let message = dbus_message_new_method_call(service, path, interface, member) else {
      throw Self.noMemory
    }
    return message
  }

  private func send(_ message: OpaquePointer, seconds: Double) throws(BusFailure) -> [BusValue] {
    var pending: OpaquePointer?
    guard
      dbus_connection_send_with_reply(connection, message, &pending, CInt(seconds * 1000)) != 0,
      let pending
    else { throw BusFailure(name: "disconnected", words: "the system bus has gone") }
    defer { dbus_pending_call_unref(pending) }
    // There is no main loop here, to which libdbus leaves its time-outs.
    let end = ContinuousClock.now + .seconds(seconds)
    while dbus_pending_call_get_completed(pending) == 0 {
      guard ContinuousClock.now < end else {
        dbus_pending_call_cancel(pending)
        throw BusFailure(name: "org.freedesktop.DBus.Error.NoReply", words: "no answer")
      }
      guard pump(milliseconds: 50) else {
        throw BusFailure(name: "disconnected", words: "the system bus has gone")
      }
    }
    guard let reply = dbus_pending_call_steal_reply(pending) else { throw Self.noMemory }
    defer { dbus_message_unref(reply) }
    let values = BusValue.arguments(of: reply)
    guard dbus_message_get_type(reply) != DBUS_MESSAGE_TYPE_ERROR else {
      let name = dbus_message_get_error_name(reply).map { String(cString: $0) } ?? "unknown"
      throw BusFailure(name: name, words: values.first?.text ?? name)
    }
    return values
  }

  /// Reads and writes once, and answers the calls that came. Returns false if the bus is gone.
  private func pump(milliseconds: CInt) -> Bool {
    guard dbus_connection_read_write(connection, milliseconds) != 0 else { return false }
    while true {
      // Replies to our own calls are taken out here, too.
      let status = dbus_connection_get_dispatch_status(connection)
      guard status == DBUS_DISPATCH_DATA_REMAINS else { return true }
      if let message = dbus_connection_borrow_message(connection) {
        let kind = dbus_message_get_type(message)
        if kind == DBUS_MESSAGE_TYPE_SIGNAL, let heard {
          let path = dbus_message_get_path(message).map { String(cString: $0) } ?? ""
          heard(path, BusValue.arguments(of: message))
        }
        guard kind == DBUS_MESSAGE_TYPE_METHOD_CALL else {
          dbus_connection_return_message(connection, message)
          dbus_connection_dispatch(connection)
          continue
        }
        dbus_connection_steal_borrowed_message(connection, message)
        reply(to: message)
        dbus_message_unref(message)
      } else {
        return true
      }
    }
  }

  private func reply(to message: OpaquePointer) {
    let member = dbus_message_get_member(message).map { String(cString: $0) } ?? ""
    let answer = answer?(member, BusValue.arguments(of: message))
    let reply: OpaquePointer?
    switch answer {
    case .values(let values):
      reply = dbus_message_new_method_return(message)
      if let reply { _ = BusValue.append(values, to: reply) }
    case .refusal(let name, let words): reply = dbus_message_new_error(message, name, words)
    case nil:
      reply = dbus_message_new_error(
        message, "org.freedesktop.DBus.Error.UnknownMethod", "no such method")
    }
    guard let reply else { return }
    dbus_connection_send(connection, reply, nil)
    dbus_connection_flush(connection)
    dbus_message_unref(reply)
  }

  private static func failure(_ error: inout DBusError) -> BusFailure {
    defer { dbus_error_free(&error) }
    return BusFailure(
      name: error.name.map { String(cString: $0) } ?? "unknown",
      words: error.message.map { String(cString: $0) } ?? "the system bus is not there")
  }
}
