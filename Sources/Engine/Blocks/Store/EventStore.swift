import Domain
import Foundation
import Jobs
import Measurement
import Platform
import Synchronization

/// Keeps what files of purchases and assignments held, so that one that was read once is not unpacked and parsed again:
/// by its content, whatever it is called, as blocks in one folder.
///
/// Any number of runs may use a folder at once. An entry is written beside and renamed once it is whole; one that is
/// not what it should be is read anew from its file and replaced. The store changes how long a run takes and nothing
/// else, so whatever is wrong with it is a warning.
package final class EventStore: Sendable {
  private let folder: StoreFolder
  private let leftNights: LeftNights
  private let maxBytes: Int64
  /// Entries that were there before are not looked at.
  private let isFresh: Bool
  private let state = Mutex(State())

  private struct State {
    /// Held from the first night on; nil where it could not be.
    var lock: SharedLock?
    /// Names of the entries that this run wrote.
    var written: Set<String> = []
    /// What files hold, by where they lie, while a run goes on.
    var digests: [String: FileDigest] = [:]
    /// The same from run to run.
    var known: KnownDigests?
    /// Who writes the entry of a file that several tasks read, by the file's share.
    var writers: [ObjectIdentifier: EntryWriter] = [:]
    var warnings: [String] = []
    /// An entry could not be written, and no other is tried.
    var isReadOnly = false
    /// Names of entries that turned out to be other than they should be once they had been taken.
    var refused: Set<String> = []
  }

  /// A store of which nothing has been touched.
  ///
  /// - Parameters:
  ///   - state: the state folder; the store's own is `events` in it.
  ///   - maxBytes: how much the store may take, in bytes.
  ///   - isFresh: what was there before is not used, and written anew.
  package init(folder state: URL, maxBytes: Int64, isFresh: Bool = false) {
    folder = StoreFolder(path: state.appendingPathComponent("events").path)
    leftNights = LeftNights(state: state)
    self.maxBytes = maxBytes
    self.isFresh = isFresh
  }

  /// Opens the store, making its folder where there is none, and clears away what a run that died left in it and what
  /// it has no room for.
  package func open() {
    guard state.withLock({ $0.lock == nil && !$0.isReadOnly }) else { return }
    do {
      let remedy = "Give state: a folder that can be written."
      let lock = try OutputFailure.advising(remedy) { try folder.open { try leftNights.remove() } }
      state.withLock { $0.lock = lock }
      trim()
    } catch {
      stopWriting(error)
    }
  }

  /// Keeps what the next run need not look at again, and makes room. A run has ended.
  package func finishRun() {
    if state.withLock({ $0.lock != nil }) { retainDigests() }
    trim()
  }

  /// Removes the entries that were not used for longest, until the others have room.
  package func trim() {
    guard state.withLock({ $0.lock != nil }) else { return }
    do { try folder.trim(to: maxBytes) } catch { warn("the event store could not be made smaller: \(error)") }
  }

  /// What was not in order, for the terminal; told once.
  package func drainWarnings() -> [String] {
    state.withLock { state in
      defer { state.warnings = [] }
      return state.warnings.sorted()
    }
  }

  // MARK: - Reading

  /// Reads a purchase file out of the store where it is there, else by itself, so that it is there the next time.
  ///
  /// - Throws: as `PurchaseLog.read`.
  func read(_ file: InputFile, of log: PurchaseLog, into sink: inout some EventSink) throws -> FileReading {
    try read(file, log.fingerprint) { entry, path in
      var blocks = try BlockFile(path)
      return try StoredFileReader(entry, file, log).read(from: &blocks, into: &sink)
    } anew: { writer in
      try log.read(file, into: &sink, retainingIn: writer)
    }
  }

  /// Finds a purchase file's entry, whose events are yet to be told partition by partition; else reads the file as `read`.
  ///
  /// - Throws: as `PurchaseLog.read`.
  func find(
    _ file: InputFile, of log: PurchaseLog, orReadInto sink: inout some EventSink
  ) throws -> (reading: FileReading, entry: PartitionedEntry?) {
    var found: PartitionedEntry?
    let reading = try read(file, log.fingerprint) { entry, path in
      let (reading, partitioned) = try PartitionedEntry.open(entry, at: path, file, log)
      found = partitioned
      return reading
    } anew: { writer in
      try log.read(file, into: &sink, retainingIn: writer)
    }
    return (reading, found)
  }

  /// Has what a purchase file tells beside events told, where its entry is there; else reads the file as `read`.
  ///
  /// - Throws: as `PurchaseLog.read`.
  func readBesideEvents(
    _ file: InputFile, of log: PurchaseLog, into sink: inout some EventSink
  ) throws -> FileReading {
    try read(file, log.fingerprint) { entry, path in
      do {
        var (reading, entry) = try PartitionedEntry.open(entry, at: path, file, log)
        try entry.emit(turn: EventBlock.Head.anyPartition, into: &sink, recording: &reading.account.outcomes)
        sink.finishFile()
        return reading
      } catch {
        sink.abandonFile()
        throw error
      }
    } anew: { writer in
      try log.read(file, into: &sink, retainingIn: writer)
    }
  }

  /// An entry that was found is not what it should be: from now on its file is read anew.
  func refuse(_ entry: PartitionedEntry, because fault: any Error) {
    state.withLock { _ = $0.refused.insert(entry.entry.name) }
    warn(of: fault, at: folder.path(of: entry.entry.name), entry.file)
  }

  /// Has a file's entry told, or the file read anew and an entry written.
  func read(
    _ file: InputFile, _ fingerprint: ReadingFingerprint, reported: (StoreEntry, String) throws -> FileReading,
    anew: (EntryWriter?) throws -> FileReading
  ) throws -> FileReading {
    if file.sameAs != nil { return try anew(nil) }
    if let slot = file.slot, slot.joins { return try anew(state.withLock { $0.writers[ObjectIdentifier(slot.share)] }) }
    guard let content = try digest(of: file) else { return try anew(nil) }
    let entry = StoreEntry(content: content, fingerprint: fingerprint)
    if let reading = try emit(entry, of: file, reported) { return reading }
    guard !state.withLock({ $0.isReadOnly }) else { return try anew(nil) }
    let path = folder.path(of: entry.name)
    let beside = Folder.hiddenSibling(of: path)
    let writer = EntryWriter(of: entry, at: beside)
    if let share = file.slot?.share {
      state.withLock { $0.writers[ObjectIdentifier(share)] = writer }
      share.whenSettled = { [self] in finish(writer, $0, at: path, beside) }
      return try anew(writer)
    }
    let reading = try anew(writer)
    finish(writer, reading, at: path, beside)
    return reading
  }

  /// What a file holds; nil of a member of a damaged archive, which has no entry.
  private func digest(of file: InputFile) throws -> FileDigest? {
    let position = "\(file.limit ?? -1) \(file.path)"
    let stamp = FileStamp(file.path)
    let found = state.withLock { state in
      state.digests[position] ?? stamp.flatMap { state.known?.digest(of: position, $0) }
    }
    if let found {
      if file.limit == nil { FileDigest.note(found, of: file.path) }
      return found
    }
    let began = Date().timeIntervalSince1970
    do {
      let digest = try FileDigest(of: file.path, displayName: file.displayName, limit: file.limit)
      state.withLock { state in
        state.digests[position] = digest
        if let stamp { state.known?.note(digest, of: position, stamp, began: began) }
      }
      return digest
    } catch is CorruptFile {
      return nil
    }
  }

  /// Looks at files anew: a run begins.
  func beginRun() {
    let known = KnownDigests(at: isFresh ? "" : folder.path(of: Self.digestsName))
    state.withLock { state in
      state.digests = [:]
      state.known = state.known ?? known
    }
  }

  private static let digestsName = ".digests"

  /// Leaves for the next run what files held.
  private func retainDigests() {
    guard let block = state.withLock({ $0.isReadOnly ? nil : $0.known?.block }) else { return }
    let path = folder.path(of: Self.digestsName)
    do { try write(path) { try $0.write(block) } } catch { stopWriting(error) }
  }

  /// Writes a file beside its place, and puts it there once it is whole.
  private func write(_ path: String, _ body: (FileWriter) throws -> Void) throws {
    let beside = Folder.hiddenSibling(of: path)
    let file = try FileWriter(beginning: beside)
    do {
      try body(file)
      try file.finish()
      try Folder.rename(beside, to: path)
    } catch {
      try? Folder.remove(beside)
      throw error
    }
  }

  /// Gives an entry its name, if it is what the file holds.
  private func finish(_ writer: EntryWriter, _ reading: FileReading, at path: String, _ beside: String) {
    do {
      if try writer.finish(reading) {
        try Folder.rename(beside, to: path)
        state.withLock { _ = $0.written.insert((path as NSString).lastPathComponent) }
      }
    } catch {
      stopWriting(error)
    }
  }

  /// What `reported` makes of the entry; nil where there is none, or it is not what it should be.
  private func emit(
    _ entry: StoreEntry, of file: InputFile, _ reported: (StoreEntry, String) throws -> FileReading
  ) throws -> FileReading? {
    let path = folder.path(of: entry.name)
    let isAccepted = state.withLock { [isFresh] state in
      !state.refused.contains(entry.name) && (!isFresh || state.written.contains(entry.name))
    }
    guard isAccepted, (try? Folder.exists(path)) == true else { return nil }
    do {
      let reading = try reported(entry, path)
      folder.noteUse(ofEntryAt: path)
      ProgressMeter.current?.add(Int(entry.content.bytes))
      return reading
    } catch let error as InputRefused {
      throw error.why
    } catch {
      warn(of: error, at: path, file)
      return nil
    }
  }

  private func warn(of fault: any Error, at path: String, _ file: InputFile) {
    switch fault {
    case BlockFault.unknownPosition: break
    case let fault as BlockFault: warn("\(path) \(fault.words); \(file.displayName) was read anew.")
    default: warn("\(fault) \(file.displayName) was read anew.")
    }
  }

  private func stopWriting(_ error: any Error) {
    let isFirst = state.withLock { state in
      defer { state.isReadOnly = true }
      return !state.isReadOnly
    }
    if isFirst { warn("what was read is not kept for the next run: \(error)") }
  }

  func warn(_ sentence: String) { state.withLock { $0.warnings.append(PrintableText.sentence(sentence)) } }
}
