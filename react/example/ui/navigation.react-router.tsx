import type { ComponentProps, ReactNode } from 'react'
import { Link as RouterLink, useLocation, useNavigate } from 'react-router'

/** A link to a page of this app. This file is all that the screens know of the router: write it anew for another one. */
export function Link({ href, ...rest }: ComponentProps<'a'> & { readonly href: string }): ReactNode {
  return <RouterLink {...rest} to={href} />
}

/** The path of the page, from where the addresses of this app begin. */
export function usePath(): string {
  return useLocation().pathname
}

/** Opens a page of this app. */
export function useGo(): (to: string, options?: { readonly replace?: boolean }) => void {
  const navigate = useNavigate()
  return (to, options) => {
    void navigate(to, options)
    scrollTo(0, 0)
  }
}
