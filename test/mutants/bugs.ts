/** A bug of test/model/mutants.ts as a change of the sources, and the test file that shows it. */
export interface Bug {
  readonly bug: string
  /** What each change replaces; its text is in the file once. */
  readonly changes: readonly (readonly [file: string, from: string, to: string])[]
  readonly test: string
  /** Why 2,000 seeds of the simulator do not find it. */
  readonly notSimulated?: string
}

const refresh = 'src/session/refresh.ts'
const signOut = 'src/session/sign-out.ts'
const session = 'src/session/token-session.ts'
const tabs = 'src/session/tabs.ts'
const call = 'src/transport/call.ts'

export const bugs: readonly Bug[] = [
  {
    bug: 'tabs refresh without a lock',
    changes: [[refresh, 'if (store.sharedAs === undefined) return work(() => true)', 'return work(() => true)']],
    test: 'test/session/tabs.test.ts',
  },
  {
    bug: 'the store is not read again after the wait for the lock',
    changes: [[refresh, 'if (!(await isNeeded())) throw new TakenOver()\n          const', 'const']],
    test: 'test/session/twenty-tabs.test.ts',
  },
  {
    bug: 'a refresh stores its answer over any other',
    changes: [
      [refresh, 'await session.write(expected, next,', 'await session.write(await session.store.read(), next,'],
    ],
    test: 'test/session/refresh.test.ts',
  },
  {
    bug: 'a refresh under way brings a session back after the sign-out',
    changes: [
      [
        refresh,
        'await session.write(expected, next,',
        'await session.write((await session.store.read()) && expected, next,',
      ],
    ],
    test: 'test/session/sign-out.test.ts',
  },
  {
    bug: 'a tab that was stuck stores its answer unchecked',
    changes: [
      [
        refresh,
        'await session.write(expected, next,',
        'await session.write(isAlone() ? expected : await session.store.read(), next,',
      ],
    ],
    test: 'test/session/tabs.test.ts',
  },
  {
    bug: 'a refused refresh empties the store, also of another session',
    changes: [
      [
        refresh,
        'if (session.tokens?.refreshToken !== refreshToken) return takenOver',
        'if (session.tokens?.refreshToken !== refreshToken) await session.end(session.stored, reason)',
      ],
    ],
    test: 'test/session/refresh.test.ts',
  },
  {
    bug: 'a refresh without an answer ends the session',
    changes: [
      [
        refresh,
        "transport.trace.emit(() => ({ type: 'refresh', outcome: 'transient' }))",
        'await session.end({ accessToken: null, refreshToken }, reason)',
      ],
    ],
    test: 'test/session/failures.test.ts',
  },
  {
    bug: 'a failed refresh is kept, and every later call gets it',
    changes: [
      [
        'src/core/promises.ts',
        'start().finally(() => this.#running.delete(key))',
        'start().then(value => (this.#running.delete(key), value))',
      ],
    ],
    test: 'test/session/failures.test.ts',
  },
  {
    bug: 'the lock is released before the answer is stored',
    changes: [
      [refresh, 'refreshed = await settle(', 'stores = () => settle('],
      [
        refresh,
        'const result = await exclusively(session, attempt, isNeeded)',
        `let stores: (() => Promise<Refreshed | undefined>) | undefined
        const result = await exclusively(session, attempt, isNeeded)
        refreshed = await stores?.()`,
      ],
    ],
    test: 'test/session/twenty-tabs.test.ts',
    notSimulated: 'its stores write within 150 ms, after which a tab that has waited for the lock looks again',
  },
  {
    bug: 'the lock is kept between two attempts',
    changes: [
      [
        refresh,
        "if ('status' in result) refreshed =",
        "if (!('status' in result)) await new Promise<void>(done => session.clock.setTimeout(done, 1000))\n          else refreshed =",
      ],
    ],
    test: 'test/session/tabs.test.ts',
    notSimulated: 'other tabs wait for a second longer, and nothing that it judges breaks',
  },
  {
    bug: 'no tab takes the lock from a stuck one',
    changes: [[tabs, '((await isNeeded()) ? take(name, { steal: true }, work) : none)', 'none']],
    test: 'test/model/player.test.ts',
  },
  {
    bug: 'every tab that waits takes the lock, one from the other',
    changes: [
      [
        tabs,
        'await right(period - 1, () => right(period, steal))',
        '{ got: true, value: { got: true, value: await steal() } } as const',
      ],
    ],
    test: 'test/session/tabs.test.ts',
  },
  {
    bug: 'the lock is taken from a tab that is only slow',
    changes: [[tabs, 'const waitMillis = 15_000', 'const waitMillis = 1_000']],
    test: 'test/session/tabs.test.ts',
  },
  {
    bug: 'a sign-out is not told to the other tabs',
    changes: [[signOut, 'if (left.identity.sessionId) session.tabs.post({ ended: left.identity.sessionId })', '']],
    test: 'test/session/tabs.test.ts',
  },
  {
    bug: 'a tab never learns that another one has signed in',
    changes: [['src/session/watch.ts', 'next: look, ', '']],
    test: 'test/session/tabs.test.ts',
  },
  {
    bug: 'a page that comes back has not heard of a sign-out',
    changes: [['src/session/watch.ts', 'look()\n      start()', 'start()']],
    test: 'test/session/back-forward.test.ts',
    notSimulated: 'none of its tabs comes back from the cache of the browser',
  },
  {
    bug: 'a sign-out empties the store when the platform has answered',
    changes: [
      [
        signOut,
        'if (await session.end(stored, reason)) return left',
        'await revokeTokens(session, left.tokens, left.underWay).catch(() => undefined)\n      if (await session.end(stored, reason)) return left',
      ],
    ],
    test: 'test/session/sign-out.test.ts',
  },
  {
    bug: 'a sign-out with an expired access token refreshes without the lock',
    changes: [['src/session/off-the-store.ts', 'await exclusively(session, ask)', 'await ask()']],
    test: 'test/session/tabs.test.ts',
  },
  {
    bug: 'a sign-out with an expired access token ends nothing on the platform',
    changes: [[signOut, 'own(await refreshOffTheStore(session, refreshToken))', 'null']],
    test: 'test/session/sign-out.test.ts',
  },
  {
    bug: 'a tab does not look at the store before a call',
    changes: [
      [
        session,
        'const reading = syncForCall(this)',
        "const reading = kind === 'unknown' ? syncForCall(this) : undefined",
      ],
      [session, 'await this.sync()\n    this.assertPresent(owner)\n', ''],
    ],
    test: 'test/session/identity.test.ts',
  },
  {
    bug: 'a write that waited for a refresh goes on as the next user',
    changes: [[session, 'this.assertPresent(owner)\n    return tokens', 'return tokens']],
    test: 'test/session/identity.test.ts',
  },
  {
    bug: 'a write that is repeated goes on as the next user',
    changes: [
      [
        call,
        'sent = as ?? (owner ?',
        'sent = as ?? (sent ? await (credentials as unknown as { current(): Promise<Tokens> }).current() : owner ?',
      ],
    ],
    test: 'test/session/identity.test.ts',
  },
  {
    bug: 'a write that is repeated has the tokens of its first attempt',
    changes: [[call, 'sent = as ?? (owner ?', 'sent = as ?? sent ?? (owner ?']],
    test: 'test/session/identity.test.ts',
  },
  {
    bug: 'the tokens are not read again after a refresh that another tab has overtaken',
    changes: [[refresh, 'await session.sync()\n  session.noteRefusal(refusal)', 'session.noteRefusal(refusal)']],
    test: 'test/session/tabs.test.ts',
    notSimulated: 'only kits with one object for their store share a refresh, and each of its tabs has its own',
  },
  {
    bug: 'an access token is used that expired while the machine slept',
    changes: [[refresh, "return clock.now() - askedAt < maxMinMillis ? outcome : 'taken-over'", 'return outcome']],
    test: 'test/session/sleep.test.ts',
  },
  {
    bug: 'a tab does not notice that another user has signed in',
    changes: [
      [
        'src/session/identity.ts',
        "present.sessionId === sessionId ? present : newIdentity('user', userId, sessionId)",
        'present.sessionId === sessionId ? present : present',
      ],
    ],
    test: 'test/session/identity.test.ts',
  },
  {
    bug: 'a tab keeps its session in memory when the store is empty',
    changes: [
      [
        'src/session/adopt.ts',
        'let tokens = usableTokens(read)',
        "if (!read && before && cause === 'elsewhere') return undefined\n  let tokens = usableTokens(read)",
      ],
    ],
    test: 'test/session/tabs.test.ts',
  },
]

/** Bugs of parts that the model leaves out. */
export const otherBugs: readonly Bug[] = [
  {
    bug: 'a write of a kit without subscribers goes on as the next user',
    changes: [
      [session, "const isFine = kind === 'unknown' || (", "const isFine = kind === 'unknown' || !this.isWatched || ("],
    ],
    test: 'test/session/identity.test.ts',
  },
  {
    bug: 'the second write of a tick is sent as the next user',
    changes: [
      ['src/session/unheard.ts', 'if (entry?.found === identity.owner) session.assertPresent(entry.before)', ''],
    ],
    test: 'test/session/identity.test.ts',
  },
  {
    bug: 'a load takes the changes of writes under way',
    changes: [
      [
        'src/store/known.ts',
        'this.failure = undefined\n    this.isStale = this.isHidden = false\n  }\n\n  setFailure',
        'this.failure = undefined\n    this.#overlays = []\n    this.isStale = this.isHidden = false\n  }\n\n  setFailure',
      ],
    ],
    test: 'test/store/write/write.test.ts',
  },
  {
    bug: 'a store loads ten times as often as it may',
    changes: [['src/store/loads.ts', 'const throttleMillis = 300', 'const throttleMillis = 30']],
    test: 'test/store/loads.test.ts',
  },
  {
    bug: 'an impersonation is not ended on the platform',
    changes: [['src/session/stores/account-tokens.ts', 'if (present && next) over(present)', '']],
    test: 'test/extras/impersonation.test.ts',
  },
]

/** Bugs of the model that no change of the sources makes. */
export const onlyInTheModel: Readonly<Record<string, string>> = {
  'the lock of a closed tab is never free': 'the browser frees the locks of a page that is gone',
}

/** The files with the bug. Throws if a text is not there once. */
export function patched({ bug, changes }: Bug, read: (file: string) => string): ReadonlyMap<string, string> {
  const texts = new Map<string, string>()
  for (const [file, from, to] of changes) {
    const parts = (texts.get(file) ?? read(file)).split(from)
    if (parts.length !== 2) throw new Error(`${bug}: ${file} has "${from}" ${parts.length - 1} times, not once`)
    texts.set(file, parts.join(to))
  }
  return texts
}
