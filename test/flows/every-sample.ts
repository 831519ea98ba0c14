import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ClientApp, Kit } from 'rxauth'
import type { AdminApp } from 'rxauth/admin'
import type { Wire } from 'rxauth/platform'
import type { RequestApp } from 'rxauth/server'
import { runs } from '../runs'
import { ada } from '../world'
import type { Samples, SparseAnswers, Writes } from './samples'
import { adminStage, clientStage, inTime, requestStage, serverStage, type Stage, type Write } from './stage'

const tests = join(__dirname, '..')
const places = ['sign-in', ...readdirSync(join(tests, 'entities')).map(name => join('entities', name))]
const all = places
  .map(place => join(tests, place, 'samples.ts'))
  .filter(path => existsSync(path))
  .map(path => jest.requireActual<{ readonly samples: Samples }>(path).samples)

/** The samples of every entity and of signing in, as one. */
const writesOf = <A extends ClientApp | AdminApp>(of: (samples: Samples) => Writes<A> | undefined): Writes<A> =>
  Object.fromEntries(all.flatMap(each => Object.entries(of(each) ?? {})))

export const clientWrites: Writes<ClientApp> = writesOf(({ client }) => client)
export const serverWrites: Writes<RequestApp> = writesOf(({ server }) => server)
export const mailings: Writes<RequestApp> = writesOf(({ mails }) => mails)
export const adminWrites: Writes<AdminApp> = writesOf(({ admin }) => admin)
export const reads: readonly string[] = ['inspect', ...all.flatMap(each => each.reads ?? [])]

export const sparseAnswers: readonly SparseAnswers[] = all.flatMap(({ sparse }) => sparse ?? [])

/** The mutations of entities that declare this member. */
export function declaring(member: string): readonly string[] {
  const folder = join(tests, '../src/entities')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(file => file.endsWith('.ts'))
  const isDeclared = new RegExp(`^ +(\\{.* )?${member}(: |,)|[{,] ${member}(: |,)`, 'm')
  return files.flatMap(file =>
    readFileSync(join(folder, file), 'utf8')
      .split(/^export const /m)
      .filter(text => /^\w+ = (mutation|\w+Write)\(/.test(text) && isDeclared.test(text))
      .map(text => /^\w+/.exec(text)![0]),
  )
}

/** A write of a kit, with stages to try it on. */
export interface Trial extends Pick<Write, 'wire' | 'fills'> {
  readonly name: string
  readonly level: Level
  /** A stage of the release, by default of the one that has the call. */
  begin(wire?: Wire): Promise<Tried>
}

export interface Tried {
  readonly stage: Stage<Kit>
  /** Makes what the write needs. */
  prepare(): Promise<void>
  /** The write with what was made for it, or with other ids. */
  write(ids?: Stage['ids'], made?: unknown): Promise<unknown>
  dispose(): void
}

type Row = readonly [title: string, trial: Trial]

const kits = { client: 'a client', server: 'a server', admin: 'an admin', 'admin alone': 'a request of an admin' }
type Level = keyof typeof kits

function rowsOf<A extends Kit>(
  level: Level,
  writes: Readonly<Record<string, Write<A>>>,
  open: (as: string | null, wire?: Wire) => Promise<Stage<A>>,
): Row[] {
  return Object.entries(writes).map(([name, { as = ada.email, prepare, write, wire, fills }]) => {
    const begin = async (on = wire): Promise<Tried> => {
      const stage = await open(as, on)
      let prepared: unknown
      return {
        stage,
        prepare: async () => void (prepared = prepare && (await inTime(prepare(stage)))),
        write: (ids = stage.ids, made = prepared) => write({ ...stage, ids }, made as never),
        dispose() {
          stage.app.dispose()
          stage.platform.dispose()
        },
      }
    }
    const trial = { name, level, begin, ...(wire && { wire }), ...(fills && { fills }) }
    return [`${name} by ${kits[level]}`, trial]
  })
}

/** The writes of servers by the kit of a request that an admin's key has made. */
export const writesOfRequests = rowsOf('admin alone', { ...serverWrites, ...mailings }, requestStage)

/** Every write, with a title of its own. */
export const everyWrite: readonly Row[] = [
  ...rowsOf('client', clientWrites, clientStage),
  ...rowsOf('server', { ...serverWrites, ...mailings }, serverStage),
  ...rowsOf('admin', adminWrites, async (_, wire) => adminStage(wire)),
]

/** Every write with a release that has it, by turns; the nightly run has each with every release that does. */
export const onBothWires = (writes: readonly Row[]) =>
  writes.flatMap(([title, trial], index) => {
    const having = (['2.8.18', '2026'] as const).filter(wire => (trial.wire ?? wire) === wire)
    return runs([having[index % having.length]!], having).map(wire => [wire, title, trial] as const)
  })

/** Changes without an event: they show after the next load. */
const untold =
  /Session|ContactChannelById$|NotificationPreference|ApiKey|Invitation|MemberProfile|OAuthProvider|oneself$|^deleteOwnUser|updateContact/

/** Writes of servers of which the platform tells; by day, one of each function. */
export const toldWrites = Object.entries(serverWrites).filter(
  ([name, { wire }]) => wire !== '2026' && !untold.test(name) && runs(!name.includes(','), true),
)

/** The samples of these functions. */
export const samplesOf = (names: readonly string[]) =>
  everyWrite.filter(([, { name }]) => names.includes(name.split(',')[0]!))
