import CBluez
import Glibc
import NIOCore

/// Bluetooth through libbluetooth and the kernel's sockets.
struct BlueZRadio: BluetoothRadio {
  private static let connectMilliseconds: CInt = 15_000

  func serialPortChannel(of device: BluetoothAddress, adapter: String?) throws -> UInt8? {
    var target = device.bluez
    var own = try Self.address(ofAdapter: adapter)
    guard let session = sdp_connect(&own, &target, 0) else {
      throw IOError(errnoCode: errno, reason: "sdp_connect")
    }
    defer { sdp_close(session) }
    var service = uuid_t()
    sdp_uuid16_create(&service, UInt16(SERIAL_PORT_SVCLASS_ID))
    var range: UInt32 = 0x0000_FFFF
    var answer: UnsafeMutablePointer<sdp_list_t>?
    let search = sdp_list_append(nil, &service)
    let attributes = sdp_list_append(nil, &range)
    defer {
      sdp_list_free(search, nil)
      sdp_list_free(attributes, nil)
    }
    guard
      sdp_service_search_attr_req(session, search, SDP_ATTR_REQ_RANGE, attributes, &answer) == 0
    else { throw IOError(errnoCode: errno, reason: "sdp_service_search_attr_req") }
    var found: UInt8?
    var entry = answer
    while let here = entry {
      if let data = here.pointee.data {
        let record = data.assumingMemoryBound(to: sdp_record_t.self)
        if found == nil { found = Self.channel(of: record) }
        sdp_record_free(record)
      }
      entry = here.pointee.next
    }
    sdp_list_free(answer, nil)
    return found
  }

  private static func channel(of record: UnsafeMutablePointer<sdp_record_t>) -> UInt8? {
    var protocols: UnsafeMutablePointer<sdp_list_t>?
    guard sdp_get_access_protos(record, &protocols) == 0 else { return nil }
    let port = sdp_get_proto_port(protocols, CInt(RFCOMM_UUID))
    sdp_list_foreach(
      protocols, { list, _ in sdp_list_free(list?.assumingMemoryBound(to: sdp_list_t.self), nil) },
      nil)
    sdp_list_free(protocols, nil)
    return (1...30).contains(port) ? UInt8(port) : nil
  }

  func connect(_ device: BluetoothAddress, channel: UInt8, adapter: String?) throws -> CInt {
    let descriptor = socket(
      AF_BLUETOOTH,
      CInt(SOCK_STREAM.rawValue) | CInt(SOCK_NONBLOCK.rawValue) | CInt(SOCK_CLOEXEC.rawValue),
      BTPROTO_RFCOMM)
    guard descriptor >= 0 else { throw IOError(errnoCode: errno, reason: "socket") }
    do {
      if adapter != nil {
        var own = try Self.address(ofAdapter: adapter)
        guard standpoint_rfcomm_bind(descriptor, &own) == 0 else {
          throw IOError(errnoCode: errno, reason: "bind")
        }
      }
      var target = device.bluez
      if standpoint_rfcomm_connect(descriptor, &target, channel) != 0 {
        guard errno == EINPROGRESS || errno == EAGAIN else {
          throw IOError(errnoCode: errno, reason: "connect")
        }
        try Self.waitUntilConnected(descriptor)
      }
      return descriptor
    } catch {
      close(descriptor)
      throw error
    }
  }

  private static func waitUntilConnected(_ descriptor: CInt) throws {
    var wait = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    var ready: CInt
    repeat { ready = poll(&wait, 1, connectMilliseconds) } while ready < 0 && errno == EINTR
    guard ready > 0 else { throw IOError(errnoCode: ETIMEDOUT, reason: "connect") }
    var code: CInt = 0
    var size = socklen_t(MemoryLayout<CInt>.size)
    guard getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &size) == 0, code == 0 else {
      throw IOError(errnoCode: code == 0 ? errno : code, reason: "connect")
    }
  }

  /// Returns a controller's own address; if none is named, the address that means any controller.
  private static func address(ofAdapter name: String?) throws -> bdaddr_t {
    var address = bdaddr_t()
    guard let name else { return address }
    // Both calls report ENODEV for a missing adapter, and ENETDOWN for one that is switched off.
    let index = hci_devid(name)
    guard index >= 0, hci_devba(index, &address) == 0 else {
      throw IOError(errnoCode: errno, reason: "adapter")
    }
    return address
  }
}

extension BluetoothAddress {
  /// The address in libbluetooth's form, with the lowest byte first.
  var bluez: bdaddr_t {
    var address = bdaddr_t()
    withUnsafeMutableBytes(of: &address) { $0.copyBytes(from: bytes.reversed()) }
    return address
  }
}
