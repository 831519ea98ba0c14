import type { History } from './history'
import type { SimulatedTab } from './tab'
import type { Part } from './truth'

/** A value that a write has asked for, until the write is answered. */
export interface Asked {
  /** What it changes: the name of a user, or of a team. */
  readonly key: string
  readonly value: string
  /** The tab has a value that the change is shown on, until the answer. */
  isDue: boolean
  /** It has watched the value since the call. */
  isSeen: boolean
  /** The values of writes of the same key that were under way together with this one: the platform may have them in any order. */
  readonly together: Set<string>
}

/** What one tab shows of values that its own writes and others change. */
export class Shown {
  readonly #tab: SimulatedTab
  readonly #history: History
  /** In the order of the calls. */
  readonly #asked = new Set<Asked>()
  /** By key: what it shows now, by which store, and whether no load is under way that may bring another value. */
  readonly #current = new Map<string, { readonly value: string; readonly part: Part; readonly isResting: boolean }>()
  /** As `#confirmed`, also of writes while it showed no value or by whose order it may be wrong: until the next load ends. */
  readonly #written = new Map<string, number>()
  /** By key: the index of the last value that the platform has confirmed to this tab. */
  readonly #confirmed = new Map<string, number>()

  constructor(tab: SimulatedTab, history: History) {
    this.#tab = tab
    this.#history = history
  }

  /** A write is called; `isDue`: the tab shows its change at once. */
  ask(key: string, value: string, isDue: boolean): Asked {
    const asked = { key, value, isDue, isSeen: true, together: new Set([value]) }
    for (const other of this.#asked)
      if (other.key === key) {
        other.together.add(value)
        asked.together.add(other.value)
      }
    this.#asked.add(asked)
    return asked
  }

  settle(asked: Asked): void {
    this.#asked.delete(asked)
  }

  confirm({ key, value, together, isSeen }: Asked, wasShown: boolean): void {
    const index = this.#indexOf(key, value)
    const raise = (known: Map<string, number>, least: number) => known.set(key, Math.max(known.get(key) ?? -1, least))
    raise(this.#written, index)
    // Until the next load the tab may take the last call for the last write.
    const indexes = [...together].map(other => this.#indexOf(key, other)).filter(other => other >= 0)
    if (wasShown && isSeen) raise(this.#confirmed, Math.min(index, ...indexes))
  }

  /** The write of this value has an answer, after which the tab may show the answer or a newer value. */
  answered(value: string): void {
    for (const asked of this.#asked) if (asked.value === value) asked.isDue = false
  }

  /** The tab shows another session, or begins to watch. */
  forget(isOther: boolean): void {
    for (const known of isOther ? [this.#confirmed, this.#written] : []) known.clear()
    this.#current.clear()
    for (const asked of this.#asked) asked.isDue = asked.isSeen = false
  }

  /** A store shows these values, and none of others. */
  shows(part: Part, values: readonly (readonly [key: string, value: string])[], isResting: boolean): void {
    const before = [...this.#current].filter(([, current]) => current.part === part)
    const gone = new Set(before.map(([key]) => key))
    for (const [key, value] of values) {
      gone.delete(key)
      this.#current.set(key, { value, part, isResting })
    }
    for (const key of gone) this.#current.delete(key)
    for (const asked of this.#asked) if (gone.has(asked.key)) asked.isDue = false
    for (const [key] of values) this.#judge(key)
  }

  #judge(key: string): void {
    const { value = '', isResting = false } = this.#current.get(key) ?? {}
    const what = `${this.#tab.name} shows ${value}`
    if ([...this.#asked].some(other => other.key === key && other.value === value)) return
    const index = this.#indexOf(key, value)
    const least = Math.max(this.#confirmed.get(key) ?? -1, isResting ? (this.#written.get(key) ?? -1) : -1)
    this.#history.require(index >= 0, 'no undone write is shown', what)
    this.#history.require(index >= least, 'no older value is shown', what)
  }

  /** After everything that was ready has run: of the writes under way the last one is shown. */
  look(): void {
    const last = new Map([...this.#asked].map(asked => [asked.key, asked]))
    for (const { key, value, isDue } of last.values()) {
      if (!isDue) continue
      const current = this.#current.get(key)?.value
      const what = `${this.#tab.name} shows ${current}, not ${value}`
      this.#history.reach('a write under way is shown')
      this.#history.require(current === value, 'a write under way is shown', what)
    }
    for (const key of this.#current.keys()) this.#judge(key)
  }

  #indexOf(key: string, value: string): number {
    return this.#history.values.get(key)?.indexOf(value) ?? -1
  }
}
