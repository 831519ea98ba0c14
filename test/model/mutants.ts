import { kit, type Rules } from './rules'
import { sessionOf, type Scope } from './state'

/** The smallest scope in which the bugs below show; each adds what it needs. */
export const small: Scope = {
  tabs: 2,
  people: ['ada', 'grace'],
  isRotating: true,
  hasLocks: true,
  signIns: 2,
  writes: 0,
  expiries: 1,
  faults: 0,
}

export interface Mutant {
  readonly bug: string
  /** Which kit has had it: an issue, a commit, or the test that keeps it out. */
  readonly met: string
  readonly rules: Partial<Rules>
  readonly needs?: Partial<Scope>
  /** What the search finds, and after how many actions. */
  readonly found: string
  readonly steps: number
}

export const mutants: readonly Mutant[] = [
  {
    bug: 'tabs refresh without a lock',
    met: 'supabase/auth-js#444, auth0/auth0-spa-js#755',
    rules: { usesLock: false },
    found: 'two refreshes are in flight',
    steps: 4,
  },
  {
    bug: 'the store is not read again after the wait for the lock',
    met: 'test/session/tabs.test.ts',
    rules: { isNeeded: () => true },
    needs: { expiries: 2 },
    found: 'a refresh is sent with a token that has been replaced',
    steps: 6,
  },
  {
    bug: 'a refresh stores its answer over any other',
    met: 'the platform’s own kit',
    rules: { mayStore: () => true },
    found: 'a session that has ended comes back',
    steps: 6,
  },
  {
    bug: 'a refresh under way brings a session back after the sign-out',
    met: 'the platform’s own kit',
    rules: { mayStore: (state, flight, scope) => state.store === 0 || kit.mayStore(state, flight, scope) },
    found: 'a session that has ended comes back',
    steps: 6,
  },
  {
    bug: 'a tab that was stuck stores its answer unchecked',
    met: 'test/session/tabs.test.ts, “has been stolen from a tab that continues”',
    rules: { mayStore: (state, flight, scope) => flight.hold === 'robbed' || kit.mayStore(state, flight, scope) },
    needs: { faults: 1 },
    found: 'a session that has ended comes back',
    steps: 9,
  },
  {
    bug: 'a refused refresh empties the store, also of another session',
    met: 'authts/oidc-client-ts#430',
    rules: { mayEnd: () => 'ended' },
    needs: { faults: 1 },
    found: 'a session is lost without a sign-out',
    steps: 7,
  },
  {
    bug: 'a refresh without an answer ends the session',
    met: 'clerk/javascript#7912, get-convex/convex-backend#523',
    rules: { afterFailure: 'ended' },
    found: 'a session is lost without a sign-out',
    steps: 4,
  },
  {
    bug: 'a failed refresh is kept, and every later call gets it',
    met: 'the platform’s own kit',
    rules: { afterFailure: 'kept' },
    found: 'a call stays pending for ever',
    steps: 4,
  },
  {
    bug: 'the lock is released before the answer is stored',
    met: 'test/session/twenty-tabs.test.ts',
    rules: { releases: 'on the answer' },
    found: 'two refreshes are in flight',
    steps: 5,
  },
  {
    bug: 'the lock is kept between two attempts',
    met: 'supabase/supabase-js#2013',
    rules: { releases: 'after the pause' },
    needs: { faults: 1 },
    found: 'a lock is held for nothing',
    steps: 4,
  },
  {
    bug: 'the lock of a closed tab is never free',
    met: 'workos/authkit-js#117',
    rules: { freesLockOfClosed: false },
    needs: { faults: 1 },
    found: 'a lock is held for nothing',
    steps: 4,
  },
  {
    bug: 'no tab takes the lock from a stuck one',
    met: 'this kit, “steal the refresh lock from a tab that is stuck”',
    rules: { mayRob: () => false },
    needs: { faults: 1 },
    found: 'a stuck tab holds back the others',
    steps: 5,
  },
  {
    bug: 'every tab that waits takes the lock, one from the other',
    met: 'this kit, in the same change',
    rules: { mayRob: ({ life, flight }) => life === 'stuck' || flight?.hold === 'thief' },
    needs: { tabs: 3, faults: 1 },
    found: 'two refreshes are in flight',
    steps: 8,
  },
  {
    bug: 'the lock is taken from a tab that is only slow',
    met: 'supabase/supabase-js#2111',
    rules: { mayRob: ({ flight }) => flight?.hold === 'alone' },
    found: 'two refreshes are in flight',
    steps: 5,
  },
  {
    bug: 'a sign-out is not told to the other tabs',
    met: 'auth0/auth0-spa-js#136, better-auth/better-auth#8177',
    rules: { tellsTabs: false },
    found: 'a tab shows a session that has ended',
    steps: 3,
  },
  {
    bug: 'a page that comes back has not heard of a sign-out',
    met: 'this kit, “read the tokens when a page comes back from the cache”',
    rules: { hearsWhenWoken: false },
    needs: { faults: 1 },
    found: 'a tab shows a session that has ended',
    steps: 5,
  },
  {
    bug: 'a sign-out empties the store when the platform has answered',
    met: 'test/session/sign-out.test.ts',
    rules: { clears: 'last' },
    found: 'a session is lost without a sign-out',
    steps: 4,
  },
  {
    bug: 'a sign-out with an expired access token refreshes without the lock',
    met: 'test/session/tabs.test.ts, “is not doubled by a sign-out”',
    rules: { locksToRevoke: false },
    found: 'two refreshes are in flight',
    steps: 4,
  },
  {
    bug: 'a sign-out with an expired access token ends nothing on the platform',
    met: 'test/session/sign-out.test.ts',
    rules: { renewsToRevoke: false },
    found: 'a session goes on on the platform after its sign-out',
    steps: 3,
  },
  {
    bug: 'a tab does not look at the store before a call',
    met: 'test/session/identity.test.ts, “sends nothing if the store already holds another identity”',
    rules: { looksBefore: false },
    needs: { writes: 1 },
    found: 'a write is sent for a session that has gone',
    steps: 3,
  },
  {
    bug: 'a write that waited for a refresh goes on as the next user',
    met: 'test/session/identity.test.ts, “sends nothing if another user signs in”',
    rules: { mayWrite: (state, tab, owner, at) => at === 'after a refresh' || kit.mayWrite(state, tab, owner, at) },
    needs: { writes: 1 },
    found: 'a write reaches another person',
    steps: 6,
  },
  {
    bug: 'a write that is repeated goes on as the next user',
    met: 'test/session/identity.test.ts, “retried after 429”',
    rules: { mayWrite: (state, tab, owner, at) => at === 'after a pause' || kit.mayWrite(state, tab, owner, at) },
    needs: { writes: 1 },
    found: 'a write reaches another person',
    steps: 5,
  },
  {
    bug: 'a write that is repeated has the tokens of its first attempt',
    met: 'test/session/identity.test.ts',
    rules: { rereadsTokens: false },
    needs: { writes: 1 },
    found: 'a write is sent for a session that has gone',
    steps: 5,
  },
  {
    bug: 'the tokens are not read again after a refresh that another tab has overtaken',
    met: 'this kit, found by the model',
    rules: { looksAfter: (knows, began) => knows === began },
    needs: { writes: 1, hasLocks: false },
    found: 'a write is sent for a session that has gone',
    steps: 10,
  },
  {
    bug: 'an access token is used that expired while the machine slept',
    met: 'this kit, “give out no token that expired while the machine slept”',
    rules: { checksExpiry: false },
    needs: { writes: 1, expiries: 2 },
    found: 'an expired access token is sent',
    steps: 6,
  },
  {
    bug: 'a tab does not notice that another user has signed in',
    met: 'this kit, “tell the other kits of a page what localStorage does not”',
    rules: { adopted: (knows, store) => (knows && store && sessionOf(knows) !== sessionOf(store) ? knows : store) },
    found: 'two tabs show two people',
    steps: 2,
  },
  {
    bug: 'a tab never learns that another one has signed in',
    met: 'test/session/tabs.test.ts',
    rules: { hearsChanges: false },
    found: 'a tab never shows the store',
    steps: 1,
  },
  {
    bug: 'a tab keeps its session in memory when the store is empty',
    met: 'awinogrodzki/next-firebase-auth-edge#311',
    rules: { adopted: (knows, store) => store || knows },
    found: 'a tab shows a session that has ended',
    steps: 3,
  },
]
