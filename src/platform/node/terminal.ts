/** The program's access to its surroundings. */
export interface Terminal {
  out(text: string): void
  err(text: string): void
  /** Reserves standard output for `out`: output of other code in this process goes to standard error from now on. */
  reserveOut(): void
  /** Calls the listener on Ctrl-C and on requests to end; returns a function that stops it. */
  onSignal(listener: (signal: NodeJS.Signals) => void): () => void
  /** Whether a user can see and answer questions. */
  readonly isInteractive: boolean
  readonly environment: Readonly<Record<string, string | undefined>>
  /** The working folder. */
  readonly folder: string
  ask(question: string): Promise<string>
  /** Shows the address in a browser. Rejects if there is none. */
  openPage(url: string): Promise<void>
  /** Calls the listener whenever one of the files is written, created or deleted; returns a function that stops it. */
  watch(files: readonly string[], listener: () => void): () => void
}
