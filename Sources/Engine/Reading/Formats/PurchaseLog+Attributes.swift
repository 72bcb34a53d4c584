import Domain
import Jobs
import Measurement

/// Attributes of charges that cannot be counted by.
extension PurchaseLog {
  /// Refuses attributes that no charge in any file of their input has a field for.
  ///
  /// - Parameter readings: what came of reading each file, and the log it belongs to.
  /// - Throws: `OfferliftError`, exit 78.
  package static func refuseUnknownAttributes(_ readings: [(log: PurchaseLog, reading: FileReading)]) throws {
    let inputs = Dictionary(grouping: readings.filter { !$0.log.attributes.isEmpty }, by: \.log.position)
    let problems = inputs.values.sorted { $0[0].log.position < $1[0].log.position }.flatMap { files in
      let seen = files.reduce(into: AttributesSeen()) { $0.merge($1.reading.attributes) }
      let log = files[0].log
      let names = Set(files.flatMap(\.reading.names))
      // A key that other rows have is no slip of the pen: no charge happens to tell it.
      let unknown = log.input.attributes.filter {
        seen.hasCharges && !seen.attributes.contains($0.number) && !names.contains($0.column)
      }
      return unknown.map { log.unknown($0, among: names) }
    }
    if !problems.isEmpty { throw OfferliftError(.badJobFile, problems: problems) }
  }

  /// Which input it is.
  private var position: String { "\(jobFile), line \(input.table.line): attributes: no charge of \(input.table.path)" }

  private func unknown(_ attribute: ChargeAttribute, among names: Set<String>) -> String {
    let nearest = nearestName(to: attribute.column, among: names).map { " Did you mean \"\($0)\"?" } ?? ""
    return "\(position) has a key \"\(attribute.column)\"; correct the name, say columns: {\(attribute.name): NAME}, "
      + "or leave it out.\(nearest)"
  }

  /// Looks whether there is room for what has been read.
  ///
  /// - Throws: `MemoryExceeded`; `OfferliftError`, exit 65, as `refuseTooManyDetails`.
  func checkRoom() throws {
    try memory?.check()
    try refuseTooManyDetails()
  }

  /// - Throws: `OfferliftError`, exit 65, where charges have more different details than there are numbers for.
  private func refuseTooManyDetails() throws {
    guard names.details.hasOverflowed else { return }
    let what = Phrase.list(attributes + ["tax", "commission"])
    throw OfferliftError(
      .badData,
      "\(jobFile): the purchases tell \(what) in more than \(Phrase.count(ChargeDetailsTable.most)) different ways; "
        + "attributes: is for columns of few values, such as the store. Leave out the one that has so many.")
  }
}
