import { XMarkIcon } from '@heroicons/react/24/outline'
import { useSyncExternalStore } from 'react'
import type { ReactNode } from 'react'
import { isAuthError } from 'rxauth'
import { wordsFor } from '../app/words'
import { IconButton } from './button'

interface Toast {
  readonly id: number
  readonly message: string
  readonly kind: 'good' | 'warning' | 'danger'
}

/** How long a message is shown. */
const shownMillis = 6000

let toasts: readonly Toast[] = []
let count = 0
const listeners = new Set<() => void>()

function change(next: readonly Toast[]): void {
  toasts = next
  for (const listener of listeners) listener()
}

/** Says what has happened, if its own place on the page has disappeared. */
export function tell(message: string, kind: Toast['kind'] = 'good'): void {
  const toast = { id: ++count, message, kind }
  change([...toasts, toast])
  setTimeout(() => close(toast), shownMillis)
}

/** Says why something has failed whose own place an optimistic change may have removed. */
export function tellFailure(error: unknown): void {
  tell(isAuthError(error) ? wordsFor(error) : 'Something went wrong.', 'danger')
}

/** Removes all of them, as they are about the former user. */
export function clearToasts(): void {
  change([])
}

function close(toast: Toast): void {
  change(toasts.filter(each => each !== toast))
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The messages at the corner of the window. Both places are there before a message, so that it is read out. */
export function Toasts(): ReactNode {
  const shown = useSyncExternalStore(subscribe, () => toasts)
  return (
    <div className="toasts">
      <div role="status">
        {shown.map(toast => toast.kind !== 'danger' && <OneToast key={toast.id} toast={toast} />)}
      </div>
      <div role="alert">{shown.map(toast => toast.kind === 'danger' && <OneToast key={toast.id} toast={toast} />)}</div>
    </div>
  )
}

function OneToast({ toast }: { readonly toast: Toast }): ReactNode {
  return (
    <div className={`toast ${toast.kind}`}>
      <p>{toast.message}</p>
      <IconButton aria-label="Close" onClick={() => close(toast)}>
        <XMarkIcon width={18} />
      </IconButton>
    </div>
  )
}
