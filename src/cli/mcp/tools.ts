import * as v from 'valibot'
import { mailTools } from './mail-tools'
import { peopleTools } from './people-tools'
import { count, DocsPart, text, tool } from './tool'
import type { Tool } from './tool'

const Time = v.object({ now: v.string(), movedMillis: v.number() })

/** Strings and numbers of a fault, as the console plans it. */
const faultFields = {
  status: v.optional(count('the status of the answer, 400 to 599', 599)),
  delayMillis: v.optional(count('how long the answer takes', 600_000)),
  retryAfter: v.optional(text('the header retry-after, such as "5"')),
  loseResponse: v.optional(v.pipe(v.boolean(), v.description('the work is done, and the answer never arrives'))),
  body: v.optional(v.picklist(['truncated', 'garbage', 'wrong-code'])),
  times: v.optional(count('for how many requests; without it until the faults are cleared', 1000)),
}
const Faults = v.object({ items: v.array(v.looseObject({ id: v.number() })) })

const Logged = v.object({
  ...{ id: v.number(), at: v.string(), method: v.string(), path: v.string(), access: v.string() },
  ...{ status: v.nullable(v.number()), errorCode: v.nullable(v.string()), tookMillis: v.number() },
})
const Body = v.object({ text: v.nullable(v.string()), length: v.number() })
const Headers = v.record(v.string(), v.string())
const Exchange = v.object({
  ...Logged.entries,
  ...{ requestHeaders: Headers, requestBody: Body, responseHeaders: Headers, responseBody: Body },
})

const maxBody = 8_000
const maxDocs = 4_000

const cut = (part: string, most: number) => (part.length > most ? `${part.slice(0, most)}…` : part)
const cutBody = ({ text: body, length }: v.InferOutput<typeof Body>) => ({
  text: body === null ? null : cut(body, maxBody),
  length,
})

const moveTime = tool({
  name: 'move_time',
  description:
    'Moves the clock of the platform forward, so that codes, tokens (ten minutes) and sessions (a year) expire. It goes back only when `rxauth dev` starts anew.',
  input: v.strictObject({ seconds: count('how far; 28800 is eight hours', 315_000_000) }),
  output: Time,
  run: ({ seconds }, { platform }) =>
    platform.local(Time, 'time', { method: 'POST', body: { forwardMillis: seconds * 1000 } }),
})

const planFault = tool({
  name: 'plan_fault',
  description:
    'Makes requests of the app fail: by a status, a delay, a lost answer or a broken body. With clear, first removes every planned fault. Answers with the planned faults.',
  input: v.strictObject({
    route: v.optional(
      text('such as "GET /users/me", or "POST /auth/oauth/token", which refreshes tokens; "*" is every route'),
    ),
    ...faultFields,
    mail: v.optional(v.pipe(v.literal('refused'), v.description('the mail server refuses mails'))),
    clear: v.optional(v.boolean()),
  }),
  output: v.object({ planned: Faults.entries.items }),
  async run({ route, mail, clear, ...fault }, { platform }) {
    if (route === undefined && Object.keys(fault).length > 0)
      throw new Error('name the route of the fault, such as "GET /users/me"')
    if (clear) await platform.local(Faults, 'faults', { method: 'DELETE' })
    if (mail) await platform.local(Faults, 'faults', { method: 'POST', body: { mail } })
    if (route !== undefined) await platform.local(Faults, 'faults', { method: 'POST', body: { route, fault } })
    return { planned: (await platform.local(Faults, 'faults')).items }
  },
})

const requests = tool({
  name: 'requests',
  description:
    'The last requests of the app, newest first, with status and error code. With an id, that one with headers and bodies. Secrets are hidden.',
  reads: true,
  input: v.strictObject({
    id: v.optional(count('the id of a request', Number.MAX_SAFE_INTEGER)),
    failed: v.optional(v.pipe(v.boolean(), v.description('only those with a status of 400 or more'))),
    limit: v.optional(count('how many', 200), 20),
  }),
  output: v.object({ requests: v.array(v.union([Exchange, Logged])) }),
  async run({ id, failed, limit }, { platform }) {
    if (id !== undefined) {
      const found = await platform.local(Exchange, `requests/${id}`)
      const bodies = { requestBody: cutBody(found.requestBody), responseBody: cutBody(found.responseBody) }
      return { requests: [{ ...found, ...bodies }] }
    }
    const { items } = await platform.local(v.object({ items: v.array(Logged) }), 'requests')
    return { requests: items.filter(({ status }) => !failed || (status ?? 599) >= 400).slice(0, limit) }
  },
})

const Done = v.object({ done: v.string() })
const Data = v.looseObject({ shared: v.looseObject({}), projects: v.looseObject({}) })
const named = v.strictObject({ name: v.optional(text('the name of the snapshot'), 'default') })

const reset = tool({
  name: 'reset',
  description:
    'Gives the platform the users and settings that it begins with, and removes all else: sessions, mails and planned faults too. A moved clock stays.',
  input: v.strictObject({}),
  output: Done,
  async run(_, { platform }) {
    await platform.local(v.object({}), 'reset', { method: 'POST', body: {} })
    return { done: 'The platform is as at its beginning. Every session has ended.' }
  },
})

const snapshot = tool({
  name: 'snapshot',
  description: 'Remembers all data of the platform under a name, for restore, until this connection ends.',
  reads: true,
  input: named,
  output: Done,
  async run({ name }, { platform, snapshots }) {
    snapshots.set(name, await platform.local(Data, 'data'))
    return { done: `Remembered as "${name}".` }
  },
})

const restore = tool({
  name: 'restore',
  description: 'Gives the platform the data of a snapshot, in the place of its own.',
  input: named,
  output: Done,
  async run({ name }, { platform, snapshots }) {
    const body = snapshots.get(name)
    const names = [...snapshots.keys()].join(', ') || 'none: call snapshot first'
    if (!body) throw new Error(`there is no snapshot "${name}"; there are: ${names}`)
    await platform.local(v.object({}), 'data', { method: 'PUT', body })
    return { done: `The platform has the data of "${name}".` }
  },
})

const docs = tool({
  name: 'docs',
  description: 'Searches the pages of the installed rxauth: the best ones, each with the part that fits best.',
  reads: true,
  input: v.strictObject({
    // The search takes milliseconds for each word.
    words: v.pipe(text('a few words, such as "expire a session in a test"'), v.maxLength(500)),
    limit: v.optional(count('how many pages', 20), 4),
  }),
  output: v.object({ parts: v.array(DocsPart) }),
  async run({ words, limit }, { searchDocs }) {
    const found = searchDocs(words).slice(0, limit)
    return { parts: found.map(part => ({ ...part, text: cut(part.text, maxDocs) })) }
  },
})

/** Every tool of `rxauth mcp`. */
export const tools: readonly Tool[] = [
  ...peopleTools,
  ...mailTools,
  ...[moveTime, planFault, requests, reset, snapshot, restore, docs],
]
