import { createClientApp, memoryTokens, type ClientApp } from 'rxauth'
import { readAccessToken } from '../../src/transport/access-token'
import type { Simulation } from './simulation'

/** The parts of the stores that the platform alone decides, as text. */
const parts = {
  user: store('user$', user => user && [user.id, user.displayName, user.clientMetadata]),
  teams: store('teams$', all => byId(all, ({ displayName }) => displayName)),
  keys: store('userApiKeys$', all => byId(all, ({ description }) => description)),
  channels: store('contactChannels$', all => byId(all, ({ value }) => value)),
}
type Truth = Readonly<Record<keyof typeof parts, string>> & { readonly isAnonymous: boolean }

function store<K extends 'user$' | 'teams$' | 'userApiKeys$' | 'contactChannels$'>(
  name: K,
  part: (value: Awaited<ReturnType<ClientApp[K]['get']>>) => unknown,
) {
  // The store of this name has these values.
  type Store = { refresh(): Promise<Parameters<typeof part>[0]>; snapshot: Shown<Parameters<typeof part>[0]> }
  const of = (app: ClientApp) => app[name] as unknown as Store
  return {
    load: async (app: ClientApp) => JSON.stringify(part(await of(app).refresh())),
    shown: (app: ClientApp) => {
      const { snapshot } = of(app)
      return snapshot.status === 'ready' ? JSON.stringify(part(snapshot.value)) : snapshot.status
    },
  }
}

type Shown<T> = { readonly status: 'ready'; readonly value: T } | { readonly status: 'pending' | 'failed' }

function byId<T extends { readonly id: string }>(all: readonly T[], part: (one: T) => unknown): unknown {
  return all.map(one => [one.id, part(one)] as const).sort(([one], [other]) => (one < other ? -1 : 1))
}

/** What the platform answers to an app of its own with the tokens in the store; undefined: they would have to be refreshed. */
export async function truthOf({ history, shared }: Simulation): Promise<Truth | undefined> {
  const { stored, present } = history
  const claims = readAccessToken(stored?.accessToken ?? '')
  if (!stored || !claims || present?.isDead || claims.expiresAtMillis! - shared.clock.now() < 30_000) return undefined
  const app = createClientApp({ ...shared.platform.options, tokens: memoryTokens(stored) })
  try {
    const values = await shared.clock.settled(
      Promise.all(Object.entries(parts).map(async ([name, { load }]) => [name, await load(app)] as const)),
    )
    return { ...Object.fromEntries(values), isAnonymous: app.auth$.value.status === 'anonymous' } as unknown as Truth
  } finally {
    app.dispose()
  }
}

/** Every tab shows what the platform has. */
export function judgeTruth({ history, tabs }: Simulation, truth: Truth): void {
  for (const { app, name, watched } of tabs)
    for (const part of watched) {
      // A token of 2.8.18 cannot say that its user is anonymous: lists are empty from when a tab has loaded the user.
      if (truth.isAnonymous && !watched.includes('user')) continue
      const shown = parts[part].shown(app)
      history.require(
        shown === truth[part],
        'every tab shows what the platform has',
        `${name}: ${part} is ${shown}, not ${truth[part]}`,
      )
    }
}

export type Part = keyof typeof parts
