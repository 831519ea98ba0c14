import { useEffect, useRef } from 'react'
import type { ReactNode } from 'react'
import { appName } from '../shell/brand'

interface Props {
  readonly title: string
  /** A field of the page takes the focus. */
  readonly hasFocusedField?: boolean | undefined
}

/** The page's heading and the window's title. It takes the focus when the page opens, unless a field does. */
export function PageHeading({ title, hasFocusedField = false }: Props): ReactNode {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (!hasFocusedField) heading.current?.focus({ preventScroll: true })
  }, [hasFocusedField, title])
  return (
    <>
      <title>{`${title} · ${appName}`}</title>
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
    </>
  )
}
