/** Older sessions of a user are forgotten. */
const mostSessions = 50

/** The browser of each session, as its last request to this backend named itself: the platform knows only the place. */
export function devices() {
  /** Per user, from session to browser. A real server has a database here. */
  const all = new Map()

  return {
    /** Remembers the browser of a request with a verified access token. */
    see({ userId, sessionId }, { 'user-agent': browser }) {
      if (sessionId === null || browser === undefined) return
      const own = all.get(userId) ?? new Map()
      own.delete(sessionId)
      own.set(sessionId, browser.slice(0, 300))
      if (own.size > mostSessions) own.delete(own.keys().next().value)
      all.set(userId, own)
    },
    /** The user's own. */
    list: { GET: async ({ userId }) => [200, Object.fromEntries(all.get(userId) ?? [])] },
  }
}
