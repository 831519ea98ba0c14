// Outside of Angular's own builds its compiler comes first.
import '@angular/compiler'
import { isObservable } from 'rxjs'
import * as client from 'rxauth'
import * as admin from 'rxauth/admin'
import * as angular from 'rxauth/angular'
import * as platform from 'rxauth/platform'
import * as next from 'rxauth/next'
import * as node from 'rxauth/platform/node'
import * as playwright from 'rxauth/playwright'
import * as react from 'rxauth/react'
import * as server from 'rxauth/server'
import { entries } from './sources'

const modules: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  rxauth: client,
  'rxauth/react': react,
  'rxauth/next': next,
  'rxauth/angular': angular,
  'rxauth/server': server,
  'rxauth/admin': admin,
  'rxauth/platform': platform,
  'rxauth/platform/node': node,
  'rxauth/playwright': playwright,
}
const exported = Object.entries(modules).flatMap(([entry, module]) =>
  Object.entries(module).map(([name, value]) => ({ entry, name, value })),
)

describe('the names of the package', () => {
  it('are checked in every entry of the package', () => {
    expect(Object.keys(modules).sort()).toEqual(entries.map(({ name }) => name).sort())
  })

  it('have one meaning over all entries', () => {
    const meanings = new Map<string, Set<unknown>>()
    for (const { name, value } of exported) meanings.set(name, (meanings.get(name) ?? new Set()).add(value))
    expect([...meanings].filter(([, values]) => values.size > 1).map(([name]) => name)).toEqual([])
  })

  it('name one thing once', () => {
    const names = new Map<unknown, Set<string>>()
    for (const { name, value } of exported)
      if (typeof value === 'function' || typeof value === 'object')
        names.set(value, (names.get(value) ?? new Set()).add(name))
    expect([...names.values()].filter(({ size }) => size > 1).map(all => [...all])).toEqual([])
  })
})

describe('a $ at the end', () => {
  const local = platform.createPlatform()
  const app = client.createClientApp({ ...local.options, tokens: client.memoryTokens() })
  const ending = exported.filter(({ name }) => name.endsWith('$'))
  /** Calls definitions that need arguments without them: they return a store nevertheless. */
  const made = (value: unknown) =>
    typeof value === 'function' ? (value as (kit: unknown, args: object) => unknown)(app, {}) : value

  it('is on some names', () => {
    expect(ending.map(({ name }) => name)).toEqual(expect.arrayContaining(['user$', 'auth$', 'tokens$']))
  })

  it.each(ending)('of $entry.$name marks an observable, or a function that returns one', ({ value }) => {
    expect(isObservable(made(value))).toBe(true)
  })

  it('is on every query', () => {
    const queries = exported.filter(({ value }) => typeof value === 'function' && '~source' in value)
    expect(queries.map(({ name }) => name).filter(name => !name.endsWith('$'))).toEqual([])
    expect(queries.length).toBeGreaterThan(0)
  })

  it.each<[string, object]>([
    ['an app', app],
    ['a platform', local],
    ['a store', app.user$],
  ])('is on the observables of %s, and on nothing else', (_, owner) => {
    const parts = Object.entries(owner).filter(
      ([name]) => !name.startsWith('_') && name !== 'source' && name !== 'operator',
    )
    // A definition with arguments is a function that returns an observable.
    const gives = (name: string, value: unknown) =>
      isObservable(
        typeof value === 'function' && name.endsWith('$') ? (value as (input: object) => unknown)({}) : value,
      )
    expect(parts.filter(([name, value]) => gives(name, value) !== name.endsWith('$')).map(([name]) => name)).toEqual([])
  })
})
