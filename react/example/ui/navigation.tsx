import type { ComponentProps, ReactNode } from 'react'
import { Link as RouterLink, useLocation } from 'wouter'

/** A link to a page of this app. This file is all that the screens know of the router: write it anew for another one. */
export function Link({ href, ...rest }: ComponentProps<'a'> & { readonly href: string }): ReactNode {
  return <RouterLink {...rest} href={href} />
}

/** The path of the page, from where the addresses of this app begin. */
export function usePath(): string {
  return useLocation()[0]
}

/** Opens a page of this app. */
export function useGo(): (to: string, options?: { readonly replace?: boolean }) => void {
  const [, navigate] = useLocation()
  return (to, options) => {
    navigate(to, options)
    scrollTo(0, 0)
  }
}
