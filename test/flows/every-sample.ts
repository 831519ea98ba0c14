import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ClientApp } from 'rxauth'
import type { AdminApp } from 'rxauth/admin'
import type { RequestApp } from 'rxauth/server'
import type { Samples, Writes } from './samples'

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

/** The mutations of entities that declare this member. */
export function declaring(member: string): readonly string[] {
  const folder = join(tests, '../src/entities')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(file => file.endsWith('.ts'))
  const isDeclared = new RegExp(`^ +(\\{.* )?${member}(: |,)`, 'm')
  return files.flatMap(file =>
    readFileSync(join(folder, file), 'utf8')
      .split(/^export const /m)
      .filter(text => /^\w+ = mutation\(/.test(text) && isDeclared.test(text))
      .map(text => /^\w+/.exec(text)![0]),
  )
}

/** The samples of these functions. */
export const samplesOf = <W>(names: readonly string[], writes: Readonly<Record<string, W>>) =>
  Object.entries(writes).filter(([name]) => names.includes(name.split(',')[0]!))
