import ArgumentParser
import FieldUnit
import Imagery
import Inspection
import Receivers
import Store
import Sync

/// What the shell is told. The contract is in docs/commands.md.
enum ExitStatus: Int32, Error {
  /// A rule said no.
  case refused = 1
  /// Bad arguments or unreadable input.
  case badInput = 2
  /// A peer or a resource of this machine is not to be had.
  case unavailable = 3

  /// The status that an error of ours leads to; nil for errors of the argument parser.
  init?(of error: any Error) {
    switch error {
    case is InspectionError, is SendError: self = .refused
    case is TaskFileError, is ImageryError: self = .badInput
    case let error as StoreError:
      if case .unknown = error { self = .badInput } else { self = .unavailable }
    case let error as ReceiverError:
      switch error {
      case .malformedSource, .unreadableLog, .severalReceivers: self = .badInput
      case .unreachable, .gpsdVersion, .gpsdRefusal: self = .unavailable
      }
    case let error as FieldUnitError:
      switch error {
      case .captureRefused, .rawWindowGone, .emptySelection, .trackNotFinished: self = .refused
      case .unreadable, .picture, .malformedIdentifier: self = .badInput
      case .unwritable, .camera: self = .unavailable
      }
    case let error as DemoError: self = error.status
    default: return nil
    }
  }
}
