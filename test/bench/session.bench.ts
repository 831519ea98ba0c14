import { createKit, memoryTokens, user$ } from 'rxauth'
import { createPlatform } from 'rxauth/platform'
import { compare, print } from './measure'

const concurrent = 100
const ada = { email: 'ada@example.com', password: 'correct horse' }

/** A platform with one user, and a fetch that counts requests by path. */
async function setUp() {
  const platform = createPlatform({ seed: { users: [ada] } })
  const requests: Record<string, number> = {}
  const fetch: typeof globalThis.fetch = (input, init) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input)
    const path = pathname.replace('/api/v1', '')
    requests[path] = (requests[path] ?? 0) + 1
    return platform.options.fetch(input, init)
  }
  const tokens = async () => {
    const read = (await platform.tokensFor(ada.email)).read()
    if (!read) throw new Error('a session has just been made')
    return read
  }
  return {
    platform,
    requests,
    tokens,
    newKit: async (given?: Parameters<typeof memoryTokens>[0]) =>
      createKit({ ...platform.options, fetch, tokens: memoryTokens(given ?? (await tokens())) }),
  }
}

/** The requests of `run`, by path. */
async function sent(requests: Record<string, number>, run: () => Promise<unknown>): Promise<string> {
  for (const path of Object.keys(requests)) requests[path] = 0
  await run()
  const counted = Object.entries(requests).filter(([, count]) => count > 0)
  return counted.map(([path, count]) => `${count} × ${path}`).join(', ') || 'nothing'
}

const times = <T>(count: number, run: (index: number) => T): T[] => Array.from({ length: count }, (_, i) => run(i))

{
  const { requests, newKit, tokens } = await setUp()
  const kit = await newKit()
  const expired = { ...(await tokens()), accessToken: null }
  const refused = { accessToken: null, refreshToken: 'unknown-refresh-token' }
  const rows: [name: string, run: () => Promise<unknown>][] = [
    ['50 concurrent get() of one entity', () => Promise.all(times(50, () => user$(kit).get()))],
    [
      '10 sequential get() of one entity',
      async () => {
        const other = await newKit()
        for (let i = 0; i < 10; i++) await user$(other).get()
      },
    ],
    [
      `${concurrent} concurrent calls without an access token`,
      async () => {
        const other = await newKit(expired)
        await Promise.all(times(concurrent, () => user$(other).get()))
      },
    ],
    [
      `${concurrent} concurrent calls with a refused refresh token`,
      async () => {
        const other = await newKit(refused)
        await Promise.allSettled(times(concurrent, () => user$(other).get()))
      },
    ],
  ]
  const lines = []
  for (const [name, run] of rows) lines.push({ name, value: await sent(requests, run) })
  print('requests', lines)
}

{
  const { newKit, tokens, platform } = await setUp()
  const read = await tokens()
  const headers = {
    'x-stack-project-id': platform.options.projectId,
    'x-stack-publishable-client-key': platform.options.publishableClientKey,
    'x-stack-access-type': 'client',
    'x-stack-access-token': read.accessToken ?? '',
  }
  const plain = () => platform.options.fetch(`${platform.options.baseUrl}/api/v1/users/me`, { headers })
  const kit = await newKit(read)
  await compare(`${concurrent} reads of the user, one after the other`, [
    [
      'a plain fetch loop',
      async () => {
        for (let i = 0; i < concurrent; i++) await (await plain()).json()
      },
    ],
    [
      'store.get({ maxAgeMillis: -1 })',
      async () => {
        // A new kit each time: otherwise the throttle of one store would be measured.
        for (let i = 0; i < concurrent; i++) {
          const one = await newKit(read)
          await user$(one).get()
          one.dispose()
        }
      },
    ],
  ])
  kit.dispose()
}
