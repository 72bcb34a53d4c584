import Analysis
import Domain
import Engine
import Jobs
import Recognition

extension JobVocabulary {
  /// The metrics, checks, rules and purchase formats there are, and who looks at files before they are read.
  package static let product = JobVocabulary(
    metrics: MetricCatalog.vocabulary, checks: CheckCatalog.vocabulary,
    rules: DecisionCatalog.product.vocabulary, formats: PurchaseCatalog.all,
    inspection: Recognition.ofDeclaredFiles)
}

extension JobReader {
  /// Reads a job that may name every metric, check, rule and format there is.
  ///
  /// - Throws: `OfferliftError`, exit 66 where the file is not there, 78 where it is not a job.
  package static func read(_ path: String) throws -> Job { try read(path, vocabulary: .product) }

  /// The job as far as it can be understood, and what is wrong with it.
  ///
  /// - Throws: `OfferliftError` where nothing of it can be read.
  package static func readAll(_ path: String) throws -> (job: Job, problems: OfferliftError?) {
    try readAll(path, vocabulary: .product)
  }
}
