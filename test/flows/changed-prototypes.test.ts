import { cookieTokens } from 'rxauth'
import { ada, world } from '../world'

const added: [prototype: object, name: string][] = []

/** As old libraries add methods: visible to `for … in`. */
function add(prototype: object, name: string, value: unknown): void {
  added.push([prototype, name])
  Object.defineProperty(prototype, name, { value, enumerable: true, configurable: true, writable: true })
}

afterEach(() => {
  for (const [prototype, name] of added.splice(0)) Reflect.deleteProperty(prototype, name)
})

/** A text inside a text, as Prototype.js gives one to `JSON.stringify`. */
const toText = function (this: unknown) {
  return Array.isArray(this) ? `[${this.map(each => String(each)).join(', ')}]` : `"${String(this)}"`
}

const changes: readonly (readonly [what: string, change: () => void])[] = [
  ['Object.prototype has an enumerable method', () => add(Object.prototype, 'extend', () => undefined)],
  ['Object.prototype has an enumerable value', () => add(Object.prototype, 'email', 'eve@example.com')],
  ['Array.prototype has an enumerable method', () => add(Array.prototype, 'each', () => undefined)],
  ['Array.prototype has toJSON', () => add(Array.prototype, 'toJSON', toText)],
  ['toJSON of arrays says nothing', () => add(Array.prototype, 'toJSON', () => undefined)],
  ['String.prototype has toJSON', () => add(String.prototype, 'toJSON', toText)],
  ['Object.prototype has toJSON', () => add(Object.prototype, 'toJSON', () => '{}')],
]

// Promise: changed-prototypes
it.each(changes)('a user signs in, reads and writes where %s', async (_, change) => {
  const jar = new Map<string, string>()
  const host = {
    cookies: {
      get: () => Array.from(jar, ([name, value]) => `${name}=${value}`).join('; '),
      set(cookie: string) {
        const [, name = '', value = ''] = /^([^=]*)=([^;]*)/.exec(cookie) ?? []
        if (/max-age=0|expires=Thu, 01 Jan 1970/i.test(cookie)) jar.delete(name)
        else jar.set(name, value)
      },
    },
  }
  const { newApp, platform, settled } = await world({ platform: { wire: '2026', seed: { users: [ada] } } })
  // The kit's requests are made with the change, the platform's answers without it.
  const { fetch } = platform.options
  const sent: unknown[] = []
  const undo = () => {
    for (const [prototype, name] of added.splice(0)) Reflect.deleteProperty(prototype, name)
  }
  const app = newApp({
    tokens: cookieTokens(),
    host,
    fetch: async (input, init) => {
      undo()
      sent.push(typeof init?.body === 'string' ? JSON.parse(init.body) : undefined)
      try {
        return await fetch(input, init)
      } finally {
        change()
      }
    },
  })
  change()
  const clientMetadata = { list: ['a', { at: [1, 2] }], text: 'b', none: [] }
  const result = await settled(app.signInWithPassword({ email: ada.email, password: ada.password }))
  const user = await settled(app.user$.get())
  const written = await settled(app.updateUser({ clientMetadata }))
  undo()
  expect(result).toMatchObject({ ok: true })
  expect(user).toMatchObject({ primaryEmail: ada.email, oauthProviders: [] })
  expect(sent).toContainEqual({ client_metadata: clientMetadata })
  expect(written).toMatchObject({ clientMetadata })
  const again = newApp({ tokens: cookieTokens(), host })
  expect(await settled(again.user$.get())).toMatchObject({ primaryEmail: ada.email })
})
