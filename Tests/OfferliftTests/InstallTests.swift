import Foundation
import Testing

@Suite("What jobs/setup.sh --install puts in its place")
struct InstallTests {
  private let binary: Binary

  init() throws {
    binary = try Binary()
    let install = try shell("set -o pipefail; . \"$SETUP\"; install_files \"$PROGRAM\" prefix")
    try #require(install.exit == 0, "\(install.text)")
  }

  /// Runs a script in the test's folder.
  private func shell(_ script: String, _ interpreter: String = "bash") throws -> (exit: Int32, text: String) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["timeout", "120", interpreter, "-c", script]
    process.currentDirectoryURL = binary.folder
    process.environment = ProcessInfo.processInfo.environment.merging([
      "PROGRAM": Binary.program.path, "SETUP": repository.appending(path: "jobs/setup.sh").path, "LC_ALL": "C.UTF-8",
    ]) { $1 }
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let bytes = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: bytes, as: UTF8.self))
  }

  @Test("The program runs from there")
  func program() throws {
    let found = try shell("prefix/bin/offerlift --version")
    #expect(found.exit == 0 && found.text.contains("."))
  }

  @Test("The program has left its symbols behind")
  func symbols() throws {
    let found = try shell("readelf --section-headers --wide prefix/bin/offerlift")
    #expect(found.exit == 0 && found.text.contains(".text") && !found.text.contains(".symtab"))
  }

  @Test("bash completes commands and options once it has read the completions")
  func bash() throws {
    let found = try shell(
      """
      . prefix/share/bash-completion/completions/offerlift
      complete -p offerlift
      complete_at() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMP_LINE="$*"; COMP_POINT=${#COMP_LINE}
        COMPREPLY=(); _offerlift "$1" "${@: -1}" "${@: -2:1}"; printf '%s\\n' "${COMPREPLY[@]}"; }
      complete_at offerlift ru
      complete_at offerlift run --prog
      """)
    #expect(found.text.contains("complete") && found.text.contains("-F _offerlift"), "\(found.text)")
    let lines = found.text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    #expect(lines.contains("run") && lines.contains("--progress"), "\(found.text)")
    #expect(!lines.contains("check"))
  }

  @Test(
    "Completions for zsh and fish are those of the program",
    arguments: ["zsh/site-functions/_offerlift", "fish/vendor_completions.d/offerlift.fish"])
  func others(path: String) throws {
    let text = try binary.text("prefix/share/\(path)")
    #expect(text.contains("offerlift") && text.contains("simulate"))
    #expect(!text.contains("reference"))
  }

  @Test("fish completes commands, options and files once it has the completions")
  func fish() throws {
    let found = try shell(
      """
      set -x HOME .
      source prefix/share/fish/vendor_completions.d/offerlift.fish
      complete -C 'offerlift ru'; echo ---; complete -C 'offerlift run --prog'; echo ---
      complete -C 'offerlift explain --format '
      """, "fish")
    let answers = found.text.components(separatedBy: "---").map { answer in
      answer.split(separator: "\n").map { String($0.split(separator: "\t")[0]) }
    }
    try #require(answers.count == 3, "\(found.text)")
    #expect(answers[0] == ["run"] && answers[1] == ["--progress"] && answers[2].contains("json"), "\(found.text)")
  }

  @Test("zsh completes commands and options once it finds the completions")
  func zsh() throws {
    let found = try shell(
      """
      export HOME=$PWD ZDOTDIR=$PWD TERM=dumb
      zmodload zsh/zpty
      zpty shell zsh -f -i
      zpty -w shell 'PS1=; fpath=($PWD/prefix/share/zsh/site-functions $fpath); autoload -Uz compinit; compinit -u -D; print READY'
      zpty -r shell text '*READY*READY*'
      type_it() { zpty -w -n shell "$1"$'\\t'; zpty -w -n shell $'\\C-a'"print -r -- GOT "$'\\n'; zpty -r shell text "*$2*"; print -r -- "$text" }
      type_it 'offerlift ru' 'GOT offerlift run'
      type_it 'offerlift run --prog' 'GOT offerlift run --progress'
      """, "zsh")
    #expect(found.exit == 0 && found.text.contains("GOT offerlift run --progress"), "\(found.text)")
  }

  @Test("roff has nothing to say against the manual page, which tells of every command")
  func manual() throws {
    let found = try shell("groff -man -Tutf8 -ww -P-cbou prefix/share/man/man1/offerlift.1")
    #expect(found.exit == 0)
    #expect(!found.text.contains("troff:"), "\(found.text.prefix(2000))")
    for word in ["OFFERLIFT(1)", "OFFERLIFT RUN", "OFFERLIFT SIMULATE", "--progress", "EXIT STATUS", "NO_COLOR"] {
      #expect(found.text.contains(word), "\(word)")
    }
  }
}
