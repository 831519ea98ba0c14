import type { ComponentProps, ReactNode } from 'react'
import { Link } from './navigation'

/** A link to a page of this app, in a text. */
export function TextLink({ to, ...rest }: Omit<ComponentProps<'a'>, 'href'> & { readonly to: string }): ReactNode {
  return <Link {...rest} href={to} />
}
