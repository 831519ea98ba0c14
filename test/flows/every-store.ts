import type { Kit, Snapshot, Store } from 'rxauth'
import * as rxauth from 'rxauth'
import * as rxauthAdmin from 'rxauth/admin'
import * as rxauthServer from 'rxauth/server'
import * as adminRegistry from '../../src/entities/admin'
import * as clientRegistry from '../../src/kit/client-members'
import * as serverRegistry from '../../src/entities/server'

/** The values to try for each argument of a store, by its name. */
export type Values = Readonly<Record<string, readonly unknown[]>>

/** One store of a kit. */
export interface Watched {
  readonly name: string
  /** Of its load, if it has one of its own: `GET /teams`. */
  readonly route: string | undefined
  open(kit: Kit): Store<unknown>
}

/** What a store shows, in a form that can be compared. */
export interface Shown {
  readonly status: Snapshot<unknown>['status']
  readonly value: string
  readonly code: string | undefined
}

interface Definition {
  (kit: Kit, input?: object): Store<unknown>
  readonly '~source'?: unknown
  readonly endpoint?: {
    readonly route: string
    readonly input: { readonly entries: Readonly<Record<string, { readonly type: string }>> }
  }
}

/** The arguments of derived stores, which declare none. */
const madeOfOthers: Readonly<Record<string, readonly string[]>> = {
  can$: ['permissionId', 'teamId?'],
  ownTeamProfile$: ['teamId'],
}

/** Names that end in `$` but are flows, not stores of an entity. */
const flows = ['cliLogin$', 'passkeyAutofill$']

type Level = 'client' | 'server' | 'admin' | 'admin alone'

/** The definitions of a level: those that its apps have bound, and those that are functions of a kit only. */
function definitionsOf<T extends object>(registry: T, entry: object): T {
  const isDefinition = (value: unknown) => typeof value === 'function' && 'endpoint' in value
  return { ...registry, ...Object.fromEntries(Object.entries(entry).filter(([, value]) => isDefinition(value))) }
}

const client = definitionsOf(clientRegistry, rxauth)
const server = definitionsOf(serverRegistry, rxauthServer)
const admin = definitionsOf(adminRegistry, rxauthAdmin)

const own = { client, server, admin, 'admin alone': admin }
/** A kit has the definitions of the lower levels too. */
const all = {
  client,
  server: { ...client, ...server },
  admin: { ...client, ...server, ...admin },
  'admin alone': admin,
}

/** Every store of a kit of the level, with all combinations of arguments. */
export function everyStore(level: Level, values: Values): Watched[] {
  const definitions = Object.entries(all[level])
  return definitions
    .filter(([name]) => name.endsWith('$') && !flows.includes(name))
    .flatMap(([name, definition]) => storesOf(name, definition as unknown as Definition, values))
}

/** Every function of a registry that returns no store. */
export function everyFunction(level: Level): string[] {
  const definitions = Object.entries(own[level])
  return definitions.flatMap(([name, value]) => (typeof value === 'function' && !name.endsWith('$') ? [name] : []))
}

function storesOf(name: string, definition: Definition, values: Values): Watched[] {
  const entries = Object.entries(definition.endpoint?.input.entries ?? {})
  const fields = madeOfOthers[name] ?? entries.map(([field, { type }]) => (type === 'optional' ? `${field}?` : field))
  if (!('~source' in definition) && !(name in madeOfOthers)) throw new Error(`${name} does not say what it takes`)
  let inputs: Readonly<Record<string, unknown>>[] = [{}]
  for (const field of fields) {
    const argument = field.replace('?', '')
    const given = values[argument] ?? []
    if (given.length === 0 && argument === field) throw new Error(`${name} takes a ${field}: which one?`)
    const each = argument === field ? given : [undefined, ...given]
    inputs = inputs.flatMap(input => each.map(value => ({ ...input, [argument]: value })))
  }
  return inputs.map(input => ({
    name: `${name} ${JSON.stringify(input)}`,
    route: definition.endpoint?.route,
    open: kit => definition(kit, input),
  }))
}

export function shownBy(snapshot: Snapshot<unknown>): Shown {
  const value = snapshot.status === 'ready' ? comparable(snapshot.value) : ''
  return { status: snapshot.status, value, code: 'error' in snapshot ? snapshot.error?.code : undefined }
}

/** The result of a load of the store, in a kit that has loaded nothing before. */
export async function freshly(store: Store<unknown>): Promise<Shown> {
  await store.get().catch(() => undefined)
  return shownBy(store.snapshot)
}

/** What `shown` lacks of `fresh`; null: nothing. */
export function shortcoming(shown: Shown, fresh: Shown): string | null {
  if (fresh.status === 'ready' && shown.status === 'ready' && fresh.value === shown.value) return null
  // A store that the user may no longer read is empty or failed.
  const isEmpty = shown.status === 'ready' && ['[]', 'null', 'false'].includes(shown.value)
  if (fresh.status === 'failed' && (shown.code === fresh.code || isEmpty)) return null
  return `shows ${said(shown)}, while a load gives ${said(fresh)}`
}

function said({ status, value, code }: Shown): string {
  return [status, code, value].filter(Boolean).join(' ')
}

/** The value without the times of last use, which every request changes. */
function comparable(value: unknown): string {
  return JSON.stringify(value, (key, part: unknown) => (/^last(Used|Active)At$/.test(key) ? undefined : part))
}
