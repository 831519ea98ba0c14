import { useId, useLayoutEffect, useRef } from 'react'
import type { ReactNode } from 'react'

interface Props {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly title: string
  /** Only its own button closes it, not a click outside or the Escape key. */
  readonly isStubborn?: boolean | undefined
  readonly children: ReactNode
}

/** A modal dialog above the page. What it contains starts anew each time it opens. */
export function Dialog({ isOpen, ...rest }: Props): ReactNode {
  return isOpen && <OpenDialog {...rest} />
}

function OpenDialog({ onClose, title, isStubborn = false, children }: Omit<Props, 'isOpen'>): ReactNode {
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const shown = dialog.current
    if (!shown) return
    shown.showModal()
    shown.querySelector<HTMLElement>('[data-autofocus]')?.focus()
    return () => {
      // Gives the focus back to the button that has opened it, or to the heading if both disappear with their row.
      shown.close()
      const opener = document.activeElement
      queueMicrotask(() => {
        if (!opener?.isConnected) document.querySelector('h1')?.focus({ preventScroll: true })
      })
    }
  }, [])
  return (
    <div className="auth contents">
      <dialog
        ref={dialog}
        aria-labelledby={id}
        {...{ closedby: isStubborn ? 'none' : 'any' }}
        onClose={({ target, currentTarget: shown }) => {
          if (target !== shown || shown.open) return
          // A browser that does not know `closedby` closes any dialog by the Escape key.
          if (isStubborn) shown.showModal()
          else onClose()
        }}
      >
        <div className="auth-stack">
          <h2 id={id}>{title}</h2>
          {children}
        </div>
      </dialog>
    </div>
  )
}
