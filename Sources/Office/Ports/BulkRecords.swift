import Inspection
import Store
import TimeAndText

/// Keeps acts on many tasks at once, and which changes of tasks devices have fetched.
public protocol BulkRecords {
  /// Reads an act; nil if there is none.
  func act(_ id: Identifier) throws -> BulkAct?
  /// Adds a planned act with its steps.
  func insert(_ act: BulkAct, _ steps: [BulkStep]) throws
  /// Keeps an act's value, and the times at which it was done and undone. Until `heldUntil` devices hear
  /// neither of the act nor of later changes of their inspector's tasks; nil means at once.
  func save(_ act: BulkAct, heldUntil: DeviceTime?) throws
  /// Removes the acts that were planned before a time and never done.
  func removePlans(before time: DeviceTime) throws
  /// Reads steps of an act in one state, with their numbers from 0, from a number on.
  func steps(
    ofAct act: Identifier, _ state: BulkStep.State, from number: Int, limit: Int
  ) throws -> [(number: Int, step: BulkStep)]
  /// Counts the steps of an act by their state; a state without steps is absent.
  func counts(ofAct act: Identifier) throws -> [BulkStep.State: Int]
  /// Keeps a step in place of the one with its number.
  func save(_ step: BulkStep, number: Int, ofAct act: Identifier) throws
  /// Reads the orders of other inspectors of which devices do not hear yet.
  func heldCopies(at now: DeviceTime) throws -> Set<Identifier>
  /// Reads the number of the newest change of a task; 0 for none.
  func newestChange(ofTask task: Identifier) throws -> Int
  /// Reads the number of the newest change of an inspector's tasks; 0 for none.
  func newestChange(ofInspector login: String) throws -> Int
  /// Reads the number of the newest change that an inspector's devices may be told of now; 0 for none.
  func newestTellable(toInspector login: String, at now: DeviceTime) throws -> Int
  /// Reads the number of the newest change that an inspector's devices have fetched; 0 for none.
  func told(toInspector login: String) throws -> Int
  /// Keeps that a device of an inspector fetches the changes up to a cursor. An earlier one changes
  /// nothing.
  func tell(_ login: String, upTo cursor: String) throws
  /// Keeps that a device of an inspector fetches the changes up to a number.
  func tell(_ login: String, through number: Int) throws
  /// Lets the reference under which a task was ordered name another task.
  func moveReference(from task: Identifier, to other: Identifier) throws
  /// Reads the task from which an order was given to another inspector, and the order that another
  /// inspector got of it; nil for none.
  func handed(_ task: Identifier) throws -> (from: Identifier?, to: Identifier?)
}
