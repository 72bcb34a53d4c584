import Domain
import Jobs

extension ReferenceTables {
  /// Refuses metrics of credits where no product grants any: nobody's could differ by what was sold.
  ///
  /// - Throws: `OfferliftError`, exit 78, with what to type.
  func refuseUngrantedCredits(in job: Job) throws {
    let metrics = job.metrics.filter { metric in
      MetricCatalog.metric(named: metric.quantile?.of ?? metric.name)?.needsCredits ?? false
    }
    guard let first = metrics.first, !products.grantCredits else { return }
    let names = metrics.map(\.id).joined(separator: ", ")
    let (position, remedy) =
      if let table = job.products {
        (
          "no product of \(table.path) grants any",
          "Say which of its columns has them (products:, line \(table.line)): columns: {credits: COLUMN}."
        )
      } else {
        (
          "the job has no products:",
          "Add products: FILE with the columns product_id and credits, or scan_credits."
        )
      }
    throw OfferliftError(
      .badJobFile,
      "\(job.file.lastPathComponent), line \(first.line): \(names) \(metrics.count == 1 ? "counts" : "count") credits, and "
        + "\(position). \(remedy)")
  }
}
