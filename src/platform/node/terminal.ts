/** What the program does to the world around it. */
export interface Terminal {
  out(text: string): void
  err(text: string): void
  /** Keeps standard output for `out`: what other code of this process writes there goes to standard error from now on. */
  reserveOut(): void
  /** Told of Ctrl-C and of a request to end; returns "stop telling me". */
  onSignal(listener: (signal: NodeJS.Signals) => void): () => void
  /** Whether a person sits there, who sees questions and can answer them. */
  readonly isInteractive: boolean
  readonly environment: Readonly<Record<string, string | undefined>>
  /** The working folder. */
  readonly folder: string
  ask(question: string): Promise<string>
  /** Shows the address in a browser. Rejects where there is none. */
  openPage(url: string): Promise<void>
  /** Told whenever one of the files is written, made or deleted from now on; returns "stop telling me". */
  watch(files: readonly string[], listener: () => void): () => void
}
