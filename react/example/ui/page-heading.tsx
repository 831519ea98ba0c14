import { useEffect, useRef } from 'react'
import type { ReactNode } from 'react'
import { useAppName } from '../shell/brand'

interface Props {
  readonly title: string
  /** The area of which the page is a part, for the window's title. */
  readonly of?: string | undefined
  /** A field of the page takes the focus. */
  readonly hasFocusedField?: boolean | undefined
}

/** The page's heading and the window's title. It takes the focus when the page opens, unless a field does. */
export function PageHeading({ title, of, hasFocusedField = false }: Props): ReactNode {
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
