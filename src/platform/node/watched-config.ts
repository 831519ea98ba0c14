import type { RxauthConfig } from './config'
import type { LoadedConfig } from './config-file'
import { reasonOf } from './data-place'

export interface ConfigReader {
  load(): Promise<LoadedConfig>
  /** Applies the change and resolves to notes on it. */
  apply(before: RxauthConfig, after: RxauthConfig): Promise<string[]>
  say(text: string): void
}

/** Applies the configuration whenever its file has changed, one change after the other. */
export class WatchedConfig {
  readonly #reader: ConfigReader
  #current: LoadedConfig
  #work: Promise<void> = Promise.resolve()

  constructor(loaded: LoadedConfig, reader: ConfigReader) {
    this.#current = loaded
    this.#reader = reader
  }

  reload(): void {
    this.#work = this.#work.then(() => this.#reload())
  }

  async #reload(): Promise<void> {
    const reader = this.#reader
    try {
      const next = await reader.load()
      const notes = await reader.apply(this.#current.config, next.config)
      this.#current = next
      reader.say(['the configuration has changed and was applied', ...notes].join('; '))
    } catch (error) {
      reader.say(`${reasonOf(error)}\nThe previous configuration stays in effect.`)
    }
  }
}
