import ArgumentParser
import Demonstration
import Evidence
import Exports
import FieldUnit
import Imagery
import Imports
import Inspection
import KeyTokens
import MapLayers
import Matching
import Office
import PDFWriting
import PairedPhones
import Receivers
import Store
import Sync
import Web

/// The exit status for the shell. The contract is in docs/commands.md.
enum ExitStatus: Int32, Error {
  /// The command is done.
  case success = 0
  /// A rule said no.
  case refused = 1
  /// The arguments are wrong, or the input cannot be read.
  case badInput = 2
  /// A peer or a resource of this machine is not available.
  case unavailable = 3

  /// Writes the line that explains a status, and returns the status.
  static func explained(_ status: ExitStatus, _ words: String) -> ExitStatus {
    Terminal.complain("standpoint: \(words)")
    return status
  }

  /// Creates the status that an error of the project leads to; nil for other errors, such as those
  /// of the argument parser.
  init?(of error: any Error) {
    switch error {
    case is InspectionError, is SendError: self = .refused
    case is TaskFileError, is CellFileError, is ImageryError: self = .badInput
    case let error as MatchingError:
      switch error {
      case .unreadable, .tooLarge: self = .badInput
      case .unavailable, .tookTooLong, .busy, .ended: self = .unavailable
      }
    case let error as StoreError:
      switch error {
      case .unknown, .unusableBackup: self = .badInput
      default: self = .unavailable
      }
    case let error as ReceiverError:
      switch error {
      case .malformedSource, .unreadableLog, .severalReceivers: self = .badInput
      case .unreachable, .gpsdVersion, .gpsdRefusal: self = .unavailable
      }
    case is RadioFailure, is HotspotFailure: self = .unavailable
    case let error as BluetoothFailure:
      self = error.kind == .refused ? .refused : .unavailable
    case let error as FieldUnitError:
      switch error {
      case .recordingElsewhere, .notRecording, .captureRefused, .captureBusy, .exposureOver,
        .rawWindowGone, .emptySelection, .trackNotFinished, .looserSetting, .photoRemoved,
        .setRemoved, .setHeld:
        self = .refused
      case .unreadable, .picture, .malformedIdentifier, .malformedPhotoPoint, .malformedSetting:
        self = .badInput
      case .unwritable, .camera, .noReceiver, .exportImpossible: self = .unavailable
      }
    case let error as DeliveryError:
      switch error {
      case .refused: self = .refused
      case .malformedAddress, .unusablePin: self = .badInput
      case .notSignedIn: self = .refused
      case .underWay, .unreachable, .untrusted, .askedToWait, .officeFull, .notAnOffice,
        .olderOffice, .otherAuthority, .fileGone:
        self = .unavailable
      }
    case is SyncError: self = .unavailable
    case let error as TokenError: self = error.status
    case let error as OfficeRefusal:
      switch error.kind {
      case .unknown, .inputInvalid, .loginTaken: self = .badInput
      case .storeUnavailable, .exportImpossible, .diskLow, .quotaFull, .notReady,
        .mapUnavailable, .authorityUnavailable:
        self = .unavailable
      default: self = .refused
      }
    case let error as MapServiceError:
      if case .malformedAddress = error { self = .badInput } else { self = .unavailable }
    case is MapLayerError, is OfflineAreaError: self = .badInput
    case is WebError, is PDFError: self = .unavailable
    case is EvidenceError, is KeyFolderError: self = .badInput
    case let error as DemoError: self = error.status
    default: return nil
    }
  }
}

extension TokenError {
  fileprivate var status: ExitStatus {
    switch self {
    case .malformedURI, .pinFile: .badInput
    case .wrongPIN, .noKey: .refused
    default: .unavailable
    }
  }
}

extension DemoError {
  fileprivate var status: ExitStatus {
    switch self {
    case .notOurs: .badInput
    case .logWithoutFix, .stepFailed: .refused
    }
  }
}
