/// What the reading of one run's inputs shares. Whoever starts a run makes it, and every file of the run carries it.
package struct RunContext: Sendable {
  /// Notices files that change while they are read; nil where nobody minds.
  private(set) var watch: InputWatch?
  /// Keeps what pipes hold; nil where only files may be read.
  let pipes: PipeSpool?
  /// Where rejected rows wait until they are published.
  private(set) var rejects: RejectSpool
  /// How many bytes of a file are unpacked at once: few enough to be in a core's cache still when they are read.
  let chunk: Int
  /// What a query of an SQLite file may take.
  let sqlite: SQLiteBounds

  /// - Parameters:
  ///   - pipes: nil where only files may be read.
  ///   - memory: how much memory the run may take; nil sets no limit.
  package init(pipes: PipeSpool? = nil, memory: MemoryLimit? = nil) {
    self.init(pipes: pipes, memory: memory, chunk: 1 << 20)
  }

  init(
    pipes: PipeSpool? = nil, memory: MemoryLimit? = nil, chunk: Int, sqlite: SQLiteBounds = SQLiteBounds()
  ) {
    rejects = RejectSpool(memory)
    (self.pipes, self.chunk, self.sqlite) = (pipes, chunk, sqlite)
  }

  /// The same within a limit of memory.
  func within(_ memory: MemoryLimit?) -> RunContext {
    var context = self
    context.rejects = RejectSpool(memory)
    return context
  }

  /// The same with its files watched.
  package func watched(by watch: InputWatch) -> RunContext {
    var context = self
    context.watch = watch
    return context
  }
}
