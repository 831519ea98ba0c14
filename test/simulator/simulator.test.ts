import kept from './kept.json'
import { simulate, simulateAll } from './simulate'
import { runs } from '../runs'
import { accountPlanOf, planOf, type Plan } from './steps'

const { RXAUTH_SEED: only, RXAUTH_SEEDS = '200' } = process.env
const limitMillis = 3 * 3_600_000
const perTest = Math.max(50, Number(RXAUTH_SEEDS) / 10)

/** Each state is reached by a run of all seeds; a change of the sources or of the steps that loses one has to win it back. */
const rare = [
  'a second factor is asked for during a refresh',
  'a refresh is answered after the sign-out',
  'a sign-out renews its access token',
  'a load is answered under another person',
  'a write is held back from another session',
  'a write is rolled back',
  'the platform refuses a refresh',
  'a refusal ends a session',
  'a write of the store comes too late',
  'the store fails',
  'a tab dies between two cookies',
  'the lock is taken from a frozen tab',
  "a gateway answers with another person's answer",
  'a tab watches again',
  'a call of a tab that watches nothing brings a value',
  'a write under way is shown',
  'a list is looked at after a write',
  'an app is disposed of',
]

const seeds =
  only === undefined
    ? Array.from({ length: Number(RXAUTH_SEEDS) }, (_, index) => index + 1)
    : only.split(',').map(Number)
const batches = Array.from({ length: Math.ceil(seeds.length / perTest) }, (_, index) =>
  seeds.slice(index * perTest, (index + 1) * perTest),
)
const reached = new Map<string, number>()

// Promise: tab-races
it.each(batches.map(batch => [batch[0], batch.at(-1), batch] as const))(
  'no run breaks an invariant: seeds %i to %i',
  async (_first, _last, batch) => simulateAll(batch, '', planOf, reached),
  limitMillis,
)

// Promise: accounts
it(
  'three people in three tabs: no value and no write of another person, and no person is lost',
  async () => {
    const all =
      only === undefined ? Array.from({ length: runs(8, 2000) }, (_, index) => index + 1) : only.split(',').map(Number)
    const states = new Map<string, number>()
    await simulateAll(all, ' of accounts', accountPlanOf, states)
    if (only !== undefined) return
    const rare = ['a person is switched to', 'a person acts as another', 'an impersonation ends: ok']
    expect(rare.filter(state => !states.has(state))).toEqual([])
  },
  limitMillis,
)

it('no run that broke an invariant once does so again', async () => {
  for (const { invariant, ...plan } of kept as (Plan & { readonly invariant: string })[])
    await simulate(`the kept run of "${invariant}"`, plan, reached)
})

it('the runs reach every rare state', () => {
  if (only === undefined) expect(rare.filter(state => !reached.has(state))).toEqual([])
})
