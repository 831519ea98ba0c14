import { headers } from 'next/headers'
import { forbidden as interrupt, notFound, redirect } from 'next/navigation'
import { decide, type CurrentUser, type Need, type Team } from 'rxauth'
import type { RequestApp } from 'rxauth/server'
import { pathBelow } from '../../src/inside'
import { addressHeader } from './proxy'

/** The needs of a page besides a user: see `Need`. */
export type PageNeed = Omit<Need, 'signedIn'>

/** The guards of `nextApp`. */
export interface Guards {
  /**
   * The user of a page or a server action. A visitor is redirected to the sign-in page, which returns to this page if the proxy
   * has seen the request; a user without a verified address to the page for it, if the need says so. Any other user gets
   * `forbidden()` where `authInterrupts` is on; otherwise the page of the option `forbidden`, else `notFound()`.
   *
   * A page that has begun to stream keeps its status 200; an API answers with `needs`, or by `currentUser`.
   */
  readonly requireUser: (need?: PageNeed) => Promise<CurrentUser>
  /**
   * A team of the user: the one with `teamId`, for example from the path, otherwise the selected one. A user who is no member of
   * it is refused as by `requireUser`, and so is one without a selected team, unless `or` is a page to choose one.
   */
  readonly requireTeam: (need?: PageNeed & { readonly or?: string }) => Promise<Team>
  /**
   * The path of this app in `returnTo`, for `redirect` after a sign-in by a form; the page `afterSignIn` if it is anything else,
   * such as an address of another origin: any link may have written it.
   */
  readonly returnPath: (returnTo: unknown) => string
  /**
   * Redirects to a path of this app, for pages and server actions: as `redirect` of Next.js, which below a base path leaves that out
   * where a form without JavaScript has called the action.
   */
  readonly goTo: (path: string) => Promise<never>
}

interface GuardParts {
  readonly asUser: <T>(run: (own: RequestApp) => Promise<T>) => Promise<T>
  readonly currentUser: () => Promise<CurrentUser | null>
  readonly forbidden: string | undefined
  readonly basePath: string
  /** The page `afterSignIn`. */
  readonly afterSignIn: () => string
}

/** The guards of pages, with what `nextApp` knows. */
export function guards({ asUser, currentUser, forbidden, basePath, afterSignIn }: GuardParts): Guards {
  async function goTo(path: string): Promise<never> {
    try {
      return redirect(path)
    } catch (error) {
      // In an action it is "push", elsewhere "replace".
      const isByAction = /^NEXT_REDIRECT;push;\//.test(digestOf(error))
      if (isByAction && (await headers()).get('next-action') === null) redirect(basePath + path)
      throw error
    }
  }

  async function refuse(): Promise<never> {
    try {
      interrupt()
    } catch (error) {
      // Without `authInterrupts` it is an error for developers.
      if (digestOf(error) !== '') throw error
    }
    return forbidden === undefined ? notFound() : goTo(forbidden)
  }

  async function allow(need: PageNeed): Promise<CurrentUser> {
    const url = (await headers()).get(addressHeader) ?? basePath + '/'
    const decision = await asUser(own => decide(own, { ...need, signedIn: true }, { url }))
    if (decision.decision === 'allow') return decision.user
    return 'to' in decision ? goTo(pathBelow(basePath, decision.to) ?? decision.to) : refuse()
  }

  async function requireUser(need: PageNeed = {}): Promise<CurrentUser> {
    if (Object.keys(need).length === 0) {
      const user = await currentUser()
      if (user && !user.restriction) return user
    }
    return allow(need)
  }

  return {
    requireUser,
    async requireTeam({ or, ...need } = {}) {
      const user = await requireUser()
      // A parameter of the path that is missing does not mean the selected team: `decide` refuses undefined.
      const teamId = 'teamId' in need ? need.teamId : user.selectedTeam?.id
      if (teamId === undefined && !('teamId' in need)) return or === undefined ? refuse() : goTo(or)
      await allow({ ...need, teamId } as PageNeed)
      const teams = await asUser(own => own.teams$.get())
      return teams.find(({ id }) => id === teamId) ?? refuse()
    },
    returnPath(returnTo) {
      const path = typeof returnTo === 'string' ? pathBelow(basePath, returnTo) : undefined
      const otherwise = afterSignIn()
      return path ?? pathBelow(basePath, otherwise) ?? otherwise
    },
    goTo,
  }
}

/** By which Next.js knows its own errors; empty for others. */
function digestOf(error: unknown): string {
  return error instanceof Error && 'digest' in error ? String(error.digest) : ''
}
