import type { ReactNode } from 'react'
import { nextApp, type NextProviderProps } from 'rxauth/next'

declare function Provider(props: NextProviderProps): ReactNode

export const plain = nextApp({
  urls: { signIn: '/sign-in' },
  needs: {
    '/account': { signedIn: true },
    '/help': null,
    '/teams/[teamId]': ({ teamId = '' }) => ({ signedIn: true, teamId }),
  },
})

// @ts-expect-error a server component cannot pass a function to the browser
nextApp({ urls: { signIn: () => '/sign-in' } })
// @ts-expect-error neither can this function be passed
nextApp({ navigate: () => undefined })
// @ts-expect-error nor can this function be passed
nextApp({ onUnhandled: console.error })
// @ts-expect-error the browser's app has the store of its cookies
nextApp({ tokens: 'cookies' })
// @ts-expect-error a path begins with a slash
nextApp({ needs: { account: { signedIn: true } } })
// @ts-expect-error a need begins with `signedIn`
nextApp({ needs: { '/account': { can: 'read' } } })
// @ts-expect-error a name that is no option
nextApp({ need: {} })

export const own = nextApp({ provider: Provider, urls: { signIn: () => '/sign-in' }, onUnhandled: console.error })

export async function guarded(teamId: string | undefined) {
  const { displayName } = await plain.requireUser({ can: 'read' })
  // @ts-expect-error null while signed out
  const name = (await plain.currentUser()).displayName
  // @ts-expect-error a parameter that may be missing
  const team = await plain.requireTeam({ teamId })
  return [displayName, name, team]
}

// Members are used without their object.
export const { AuthState, asUser, proxy } = plain
