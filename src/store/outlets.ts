import { Outlet } from './outlet'
import type { Projection } from './outlet'
import type { Snapshot } from './snapshot'

/** The outlets of one cell: its own, and one for each view in use. */
export class Outlets {
  readonly #byView = new Map<unknown, Outlet<unknown, unknown>>()
  readonly #release: () => void

  constructor(release: () => void) {
    this.#release = release
  }

  /** The outlet of a view, or the cell's own without a view; a new one starts with the cell's present state. */
  of<T>(view: Projection<unknown, T>, state: Snapshot<unknown>): Outlet<unknown, T> {
    let outlet = this.#byView.get(view)
    if (!outlet) this.#byView.set(view, (outlet = new Outlet<unknown, unknown>(view, state, this.#release)))
    // The outlet under a view was made with that view.
    return outlet as Outlet<unknown, T>
  }

  take(state: Snapshot<unknown>): void {
    for (const outlet of this.#byView.values()) outlet.take(state)
  }

  tell(onThrow: (error: unknown) => void): void {
    for (const outlet of this.#byView.values()) outlet.tell(onThrow)
  }

  end(error: unknown): void {
    for (const outlet of this.#byView.values()) outlet.end(error)
  }
}
