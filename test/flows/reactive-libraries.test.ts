import { inspect } from 'node:util'
import { createServerApp } from 'rxauth/server'
import { createKit, memoryTokens, user$ } from 'rxauth'
import { isReactive, reactive, ref, shallowReactive, toRaw } from 'vue'
import { ada, world } from '../world'

/** What MobX, Svelte's `$state`, Solid's stores and Immer take for a plain object, of which they make another one. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || prototype === Object.prototype
}

async function all() {
  const one = await world()
  const server = createServerApp(one.platform.serverOptions)
  const kit = createKit({ ...one.platform.options, tokens: memoryTokens() })
  const { app } = one
  const made = {
    'a client app': app,
    'a server app': server,
    'an app of a request': server.withTokens(memoryTokens()),
    'a kit': kit,
    'a store': app.user$,
    'a store with arguments': app.teamPermissions$({ teamId: 'a' }),
    'a derived store': app.derive(read => read(app.user$)?.id),
    'a state': app.auth$,
    'the flow': app.flow$,
    'the tokens': app.tokens$,
  }
  return { ...one, kit, made }
}

describe('an app in reactive data', () => {
  // Promise: reactive-data
  it('is what it was, with all that belongs to it', async () => {
    const { made } = await all()
    for (const [name, value] of Object.entries(made)) {
      const state = reactive({ value, list: [value], map: new Map([['one', value]]) }) as unknown as {
        readonly value: object
        readonly list: readonly object[]
        readonly map: ReadonlyMap<string, object>
      }
      const seen = [reactive(value), ref(value).value, state.value, state.list[0], state.map.get('one')]
      expect({ name, isSame: seen.map(each => each === value) }).toEqual({ name, isSame: Array(5).fill(true) })
      expect(isReactive(shallowReactive({ value }).value)).toBe(false)
      expect({ name, isPlain: isPlain(value) }).toEqual({ name, isPlain: false })
      expect(toRaw(value)).toBe(value)
    }
  })

  // Promise: reactive-data
  it('works there', async () => {
    const { app, kit, settled } = await all()
    const state = reactive({ app, auth$: app.auth$, user$: user$(kit) })
    expect(await settled(state.app.user$.get())).toMatchObject({ primaryEmail: ada.email })
    expect(state.auth$.value.status).toBe('signed-in')
    expect(await settled(state.user$.get())).toBeNull()
    await settled(state.app.signOut())
    expect(state.app.auth$.value.status).toBe('signed-out')
  })

  it('shows no mark of this to a loop or a copy', async () => {
    const { made } = await all()
    for (const value of Object.values(made)) {
      const names: string[] = []
      for (const name in value) names.push(name)
      expect(names).not.toContain('__v_skip')
      expect(Object.keys({ ...value })).not.toContain('__v_skip')
      expect(inspect(value)).not.toContain('__v_skip')
    }
  })
})
