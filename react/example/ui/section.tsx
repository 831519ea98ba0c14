import { useEffect, useId, useRef, type ComponentProps, type ReactNode } from 'react'
import { useAppName } from '../shell/brand'

interface Props {
  readonly title: string
  readonly description?: ReactNode
  /** At the right of the title. */
  readonly action?: ReactNode
  readonly isDangerous?: boolean
  readonly children?: ReactNode
}

/** A part of a page: title, description and content. */
export function Section({ title, description, action, isDangerous = false, children }: Props): ReactNode {
  const id = useId()
  return (
    <section className={isDangerous ? 'auth-card dangerous' : 'auth-card'} aria-labelledby={id}>
      <div className="auth-stack">
        <div className="auth-row between top">
          <div className="grow heading">
            <h2 id={id}>{title}</h2>
            {description !== undefined && <p className="dim">{description}</p>}
          </div>
          {action}
        </div>
        {children}
      </div>
    </section>
  )
}

interface PageHeadingProps {
  readonly title: string
  /** The area of which the page is a part, for the window's title. */
  readonly of?: string | undefined
  /** A field of the page takes the focus. */
  readonly hasFocusedField?: boolean | undefined
}

/** The page's heading and the window's title. It takes the focus when the page opens, unless a field does. */
export function PageHeading({ title, of, hasFocusedField = false }: PageHeadingProps): ReactNode {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (!hasFocusedField) heading.current?.focus({ preventScroll: true })
  }, [hasFocusedField, title])
  useEffect(() => keepFocus(() => heading.current?.focus({ preventScroll: true })), [])
  return (
    <>
      <title>{[title, of, useAppName()].filter(Boolean).join(' · ')}</title>
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
    </>
  )
}

/** Calls `moveFocus` when the element with the focus leaves the page, such as a button that another one replaces. */
function keepFocus(moveFocus: () => void): () => void {
  let last: EventTarget | null = null
  const remember = ({ target }: FocusEvent) => (last = target)
  const observer = new MutationObserver(() => {
    if (last instanceof Node && !last.isConnected && document.activeElement === document.body) moveFocus()
  })
  document.addEventListener('focusin', remember)
  observer.observe(document.body, { childList: true, subtree: true })
  return () => {
    document.removeEventListener('focusin', remember)
    observer.disconnect()
  }
}

interface StatusBadgeProps extends ComponentProps<'span'> {
  readonly kind?: 'good' | 'info' | 'warning' | 'danger' | 'plain'
}

/** A state in a word or two. What is as it should be is plain, or has no badge; `good` is for what protects the user. */
export function StatusBadge({ kind = 'plain', className = '', ...rest }: StatusBadgeProps): ReactNode {
  return <span {...rest} className={`auth-badge ${kind} ${className}`} />
}
