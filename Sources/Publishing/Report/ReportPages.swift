/// The pages of a night, by number from 0; the first of them is `report.html`.
struct ReportPages: Sendable {
  let count: Int
  private let make: @Sendable (Int) throws -> Page

  /// A page with its path from the night's folder.
  typealias Page = (path: String, html: String)

  /// - Parameter make: makes a page, on whichever thread.
  init(count: Int, _ make: @escaping @Sendable (Int) throws -> Page) { (self.count, self.make) = (count, make) }

  /// Makes a page.
  ///
  /// - Throws: `OfferliftError` 70 where its template cannot be used.
  func page(_ number: Int) throws -> Page { try make(number) }
}
