'use client'
import { flow$, type Flow } from 'rxauth'
import { useKit } from './provider'
import { useLatest } from './use-latest'

const idle: Flow = /* @__PURE__ */ Object.freeze({ status: 'idle' })

/**
 * The sign-in in progress in this tab: `idle`, `code-sent`, `second-factor`, `done` or `failed`. Never suspends and never
 * throws. Over a server's markup the first render is `idle`.
 *
 * @example
 * ```tsx
 * export const Step = () => (useFlow().status === 'second-factor' ? <p>Six digits, please.</p> : null)
 * ```
 */
export function useFlow(): Flow {
  return useLatest(flow$(useKit()), idle)
}
