import { useEffect, useRef } from 'react'
import type { ReactNode } from 'react'
import { Frame } from './frame'

interface Props {
  readonly title: string
  readonly children: ReactNode
  /** Something on the page takes the focus by itself. */
  readonly hasFocus?: boolean
}

/** A page of the sign-in: one card under one heading, which has the focus unless a field has. */
export function HandlerPage({ title, children, hasFocus = false }: Props): ReactNode {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (!hasFocus) heading.current?.focus()
  }, [hasFocus])
  return (
    <>
      <title>{`${title} · rxauth example`}</title>
      <Frame>
        <div className="narrow">
          <article>
            <h1 ref={heading} tabIndex={-1}>
              {title}
            </h1>
            {children}
          </article>
        </div>
      </Frame>
    </>
  )
}
