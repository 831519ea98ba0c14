import { parseJson } from '../../core/values'
import { coreOf, slot, type Kit } from '../kit-parts'

/** A text that survives a reload of this tab and is invisible to other tabs; in memory without session storage. */
export interface TabNote {
  read(): string | null
  write(text: string | null): void
}

/** The note of this kit and name; `name` is a constant object, so that names never collide. */
export function tabNote(kit: Kit<never>, name: { readonly of: string }): TabNote {
  return slot(kit, name, () => {
    const { host, transport } = coreOf(kit)
    const key = `rxauth-${name.of}-${transport.config.projectId}`
    let memory: string | null = null
    let isInMemory = false
    return {
      read() {
        try {
          return isInMemory ? memory : (host.sessionStorage?.getItem(key) ?? null)
        } catch {
          return memory
        }
      },
      write(text) {
        memory = text
        try {
          if (text === null) host.sessionStorage?.removeItem(key)
          else host.sessionStorage?.setItem(key, text)
          isInMemory = !host.sessionStorage
        } catch {
          // Full or forbidden: this page keeps the text in memory.
          isInMemory = true
        }
      },
    }
  })
}

/** Parsed JSON of any writer; undefined if it is invalid. */
export function parseNote(text: string | null): unknown {
  return text === null ? undefined : parseJson(text)
}
