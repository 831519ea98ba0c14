import { nextApp } from 'rxauth/next'

export const { asUser, AuthState, currentUser, goTo, proxy, requireTeam, requireUser, returnPath } = nextApp({
  urls: { signIn: '/sign-in' },
  forbidden: '/forbidden',
  needs: {
    '/account': { signedIn: true },
    '/reports': { signedIn: true, can: 'read_reports' },
    '/api/me': { signedIn: true },
  },
})
