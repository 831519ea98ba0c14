import * as v from 'valibot'
import { table } from '../data/table'

/** Sign-ins of programs without a browser; the id is the polling code. */
export const cliLogins = table({
  columns: {
    loginCode: v.string(),
    expiresAt: v.number(),
    /** Set when the browser approves; null until then. */
    refreshToken: v.nullable(v.string()),
    /** The program's anonymous session, if it has one. */
    anonymousRefreshToken: v.nullable(v.string()),
    usedAt: v.nullable(v.number()),
  },
  indexes: { loginCode: row => row.loginCode },
})
