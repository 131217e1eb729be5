package import Navigation

/// The compilation of definitions from files, for the sessions that began with them.
package struct FlowCompilation: Sendable {
  private let compiler: DefinitionCompiler
  private let limits: AppDefinition.Limits
  /// Receives a sentence for each fault that concerns operators.
  package let log: @Sendable (String) -> Void

  package init(
    limits: AppDefinition.Limits = .init(), log: @escaping @Sendable (String) -> Void = { _ in },
    compiler: @escaping DefinitionCompiler
  ) {
    self.compiler = compiler
    self.limits = limits
    self.log = log
  }

  /// Compiles a definition. A compilation may take long.
  ///
  /// - Throws: the error of the compiler.
  package func definition(from source: DefinitionSource) throws -> AppDefinition { try compiler(source, limits) }

  private static let queue = CompilationQueue()

  /// Compiles a definition away from the threads of requests.
  package func definitionInBackground(from source: DefinitionSource) async -> Result<AppDefinition, any Error> {
    await Self.queue.run(size: source.size) { Result { try definition(from: source) } }
  }
}
