import { confirmed } from 'rxauth/server'

/** A confirmation counts for as long. */
const maxAgeMillis = 60_000

/** Deletes the account of a user who has just confirmed to be there: an unlocked screen has an access token, too. */
export const account = app => ({
  async DELETE({ headers, userId, sessionId }) {
    const isThere = await confirmed(app, headers['x-confirmation'], { userId, maxAgeMillis, notSession: sessionId })
    if (!isThere) return [403, { error: 'Confirm that it is you.' }]
    await app.deleteUserById({ userId })
    return [204]
  },
})
