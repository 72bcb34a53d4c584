import Domain
import Foundation
import Jobs
import Platform

/// Takes out of published nights how rejected rows of a person begin: `rejects.csv.gz` is the only file of a night that
/// has rows. The rows stay, with their place and reason; their excerpts go, and what quotes the person.
package struct ForgottenRejects {
  private let root: URL
  private let job: Job
  /// Tells whether a rejected row is the person's.
  private let isForgotten: (Row) -> Bool

  /// A rejected row as the file tells it.
  package struct Row {
    package let file: String
    package let line: Int
    package let detail: [UInt8]
    package let excerpt: [UInt8]
  }

  /// A night with rows to be forgotten.
  package struct Night {
    /// Its date.
    package let name: String
    package let rows: Int
  }

  /// - Parameter root: DIR, the folder of all jobs' results.
  package init(root: URL, job: Job, isForgotten: @escaping (Row) -> Bool) {
    (self.root, self.job, self.isForgotten) = (root, job, isForgotten)
  }

  private var folder: String { root.appendingPathComponent(job.name).path }

  private func path(_ names: String...) -> String {
    names.reduce(folder) { ($0 as NSString).appendingPathComponent($1) }
  }

  /// The nights that hold such rows.
  ///
  /// - Throws: `OfferliftError` where a night's rejects cannot be read.
  package func nights() throws -> [Night] {
    try NightFolders(folder).published.compactMap { night in
      let rows = try forEachLine(of: night) { _, _ in }
      return rows > 0 ? Night(name: night, rows: rows) : nil
    }
  }

  /// Puts a night in its own place without them, whole or not at all, as a run would. The caller holds the `JobLock`.
  ///
  /// - Throws: `OfferliftError` 73 or 74; the night stands as it was then.
  package func rewrite(_ night: Night) throws {
    try Publisher(root: root, job: job).preflight()
    let results = ResultsDatabase(path: path(Handover.database))
    try results.holdingOffWriters {
      defer { try? Folder.remove(path(Handover.making)) }
      try make(night.name)
      let staged = path(Handover.making, night.name)
      guard let content = try FolderChecksum.text(of: staged) else {
        throw OfferliftError(.inputOutput, "cannot read back \(staged), which was just written. Run again.")
      }
      let copy = path(Handover.making, Handover.database)
      try results.copy(to: copy) {
        try SQLiteExporter.record(content: content, ofNight: night.name, job: job.name, in: $0)
      }
      try StoredFile.sync(copy)
      try FileWriter.write("\(night.name) \(content)\n".utf8, to: path(Handover.making, Handover.record))
      try Folder.sync(path(Handover.making))
      try Folder.rename(path(Handover.making), to: path(Handover.placing))
      try Folder.sync(folder)
      try Handover(folder: folder, night: night.name, content: content).carryOut()
    }
    try Folder.remove(path(Handover.placing))
    try? HistoryCheck(folder: folder, database: results).seal()
  }

  /// Makes the night's folder anew beside what else of the job's folder is handed over with it.
  private func make(_ night: String) throws {
    let staged = path(Handover.making, night)
    try Folder.create(staged)
    for name in try Folder.names(in: path(night)) where name != NightFiles.rejects {
      try Folder.copyAll(path(night, name), to: (staged as NSString).appendingPathComponent(name))
    }
    try writeRejects(of: night, to: (staged as NSString).appendingPathComponent(NightFiles.rejects))
    try Folder.sync(staged)
    let newest = try UnfinishedNights.newestNight(in: folder) ?? night
    try Folder.makeLink(path(Handover.making, Handover.latest), to: newest)
    let metrics = try Folder.exists(path(Handover.metrics)) ? StoredFile.bytes(of: path(Handover.metrics)) : []
    for name in [Handover.metrics, Handover.metricsAgain] {
      try FileWriter.write(metrics, to: path(Handover.making, name))
    }
  }

  // MARK: - Lines

  private static let lineEnd = UInt8(ascii: "\n")

  private func writeRejects(of night: String, to path: String) throws {
    let file = try FileWriter(creating: path)
    let members = GzipMembers(in: file, threads: 1)
    var lines: [UInt8] = []
    _ = try forEachLine(of: night) { line, isForgotten in
      lines += isForgotten ? bare(line) : Array(line)
      guard lines.count >= RejectsExporter.memberBytes else { return }
      try members.append(lines)
      lines.removeAll(keepingCapacity: true)
    }
    if !lines.isEmpty { try members.append(lines) }
    try members.finish()
    try file.finish()
  }

  /// Hands on each line with its end, and whether its row is to be forgotten; returns how many are. A row of which nothing
  /// is told any more is none of them.
  private func forEachLine(of night: String, _ body: (ArraySlice<UInt8>, Bool) throws -> Void) throws -> Int {
    let path = path(night, NightFiles.rejects)
    guard try Folder.exists(path) else { return 0 }
    let source = try ByteSource(path: path, displayName: path)
    var (rest, forgotten, isHeader): ([UInt8], Int, Bool) = ([], 0, true)
    while true {
      let piece: [UInt8]
      do { piece = try source.read(upTo: 1 << 20) } catch let corrupt as CorruptFile {
        throw OfferliftError(.badData, "\(corrupt.fault). \(corrupt.remedy).")
      }
      if piece.isEmpty { return forgotten }
      rest += piece
      var start = 0
      while let end = rest[start...].firstIndex(of: Self.lineEnd) {
        let line = rest[start...end]
        let isForgotten = !isHeader && (Row(line.dropLast()).map { !$0.isBare && self.isForgotten($0) } ?? false)
        try body(line, isForgotten)
        forgotten += isForgotten ? 1 : 0
        (start, isHeader) = (end + 1, false)
      }
      rest.removeFirst(start)
    }
  }

  /// The line with nothing in its last two cells.
  private func bare(_ line: ArraySlice<UInt8>) -> [UInt8] {
    let behindDetail = CSVText.startOfLastCell(of: line)
    let detail = CSVText.startOfLastCell(of: line[..<(behindDetail - 1)])
    return Array(line[..<detail]) + [UInt8(ascii: ","), Self.lineEnd]
  }
}

extension ForgottenRejects.Row {
  /// Nothing is told of how it begins, or why it was refused.
  fileprivate var isBare: Bool { detail.isEmpty && excerpt.isEmpty }

  /// Nil where it is no line of a reject.
  fileprivate init?(_ line: ArraySlice<UInt8>) {
    let cells = CSVText.cells(of: line).map { FormulaGuard.unguarded(String(decoding: $0, as: UTF8.self)) }
    guard cells.count == 6, let number = Int(cells[1]) else { return nil }
    self.init(file: cells[0], line: number, detail: Array(cells[4].utf8), excerpt: Array(cells[5].utf8))
  }
}
