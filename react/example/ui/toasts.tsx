import { XMarkIcon } from '@heroicons/react/24/outline'
import { useEffect, useState, useSyncExternalStore, type ReactNode } from 'react'
import { isAuthError, type AnyAuthError } from 'rxauth'
import { useWords, wordsFor } from '../words/use-words'
import { IconButton } from './button'

interface Toast {
  readonly id: number
  /** A text, or the error whose text it is. */
  readonly message: string | AnyAuthError | undefined
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
export function tell(message: Toast['message'], kind: Toast['kind'] = 'good'): void {
  change([...toasts, { id: ++count, message, kind }])
}

/** Says why something has failed whose own place an optimistic change may have removed. */
export function tellFailure(error: unknown): void {
  tell(isAuthError(error) ? error : undefined, 'danger')
}

/** Removes all of them, as they are about the former user. */
export function clearToasts(): void {
  change([])
}

function close(toast: Toast): void {
  change(toasts.filter(each => each !== toast))
}

const current = () => toasts

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The messages at the corner of the window. Their place is there before a message, so that it is read out. */
export function Toasts(): ReactNode {
  const shown = useSyncExternalStore(subscribe, current, current)
  return (
    <div className="auth contents">
      <div className="toasts">
        <div role="status">
          {shown.map(toast => toast.kind === 'good' && <OneToast key={toast.id} toast={toast} />)}
        </div>
        {shown.map(
          toast =>
            toast.kind !== 'good' && (
              <div key={toast.id} role="alert">
                <OneToast toast={toast} />
              </div>
            ),
        )}
      </div>
    </div>
  )
}

/** Goes by itself, but not while it is pointed at or has the focus. */
function OneToast({ toast }: { readonly toast: Toast }): ReactNode {
  const words = useWords()
  const { message = words.otherError } = toast
  const text = typeof message === 'string' ? message : wordsFor(message, words)
  const [isHeld, setHeld] = useState(false)
  useEffect(() => {
    if (isHeld) return
    const timer = setTimeout(() => close(toast), shownMillis)
    return () => clearTimeout(timer)
  }, [isHeld, toast])
  return (
    <div
      className={`auth-toast ${toast.kind}`}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <p>{text}</p>
      <IconButton label={words.ui.close} icon={<XMarkIcon width={18} />} onClick={() => close(toast)} />
    </div>
  )
}
