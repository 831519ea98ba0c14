import NextLink from 'next/link'
import { usePathname, useRouter } from 'next/navigation'
import type { ComponentProps, ReactNode } from 'react'

/** A link to a page of this app. This file is all that the screens know of the router: write it anew for another one. */
export function Link({ href, ...rest }: ComponentProps<'a'> & { readonly href: string }): ReactNode {
  // Some pages do their work as soon as they open: none is fetched ahead. The types of Next.js know no missing values.
  return <NextLink {...(rest as object)} href={href} prefetch={false} />
}

/** The path of the page, from where the addresses of this app begin. */
export function usePath(): string {
  return usePathname()
}

/** Opens a page of this app. */
export function useGo(): (to: string, options?: { readonly replace?: boolean }) => void {
  const router = useRouter()
  return (to, { replace = false } = {}) => (replace ? router.replace(to) : router.push(to))
}
