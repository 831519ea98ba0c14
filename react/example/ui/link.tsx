import { Anchor, Button } from '@mantine/core'
import type { AnchorProps, ButtonProps } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'wouter'

interface Target {
  readonly to: string
  readonly children: ReactNode
}

/** A link to a page of this app, in a text. */
export function TextLink({ to, children, ...look }: AnchorProps & Target): ReactNode {
  return (
    <Link href={to} asChild>
      <Anchor inherit={look.size === undefined} {...look}>
        {children}
      </Anchor>
    </Link>
  )
}

/** A button-like link to the next page of this app. */
export function ButtonLink({ to, children, ...look }: ButtonProps & Target): ReactNode {
  return (
    <Link href={to} asChild>
      <Button component="a" {...look}>
        {children}
      </Button>
    </Link>
  )
}
