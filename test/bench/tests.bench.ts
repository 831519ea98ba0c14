// The promises of docs/testing.md: fifty tests, each of which signs in on a platform of its own, take less than a second; each of
// fifty stories in a process, with a signed-in app of its own, less than five milliseconds.
import { createClientApp, memoryTokens, orThrow } from 'rxauth'
import { createPlatform } from 'rxauth/platform'
import { print } from './measure'

const limitMillis = 1_000
const users = [{ email: 'ada@example.com', password: 'correct horse' }]

const rounds = []
for (let round = 0; round < 5; round++) {
  const before = process.cpuUsage()
  for (let test = 0; test < 50; test++) {
    const app = createClientApp({ ...createPlatform({ seed: { users } }).options, tokens: memoryTokens() })
    orThrow(await app.signInWithPassword({ email: 'ada@example.com', password: 'correct horse' }))
    if ((await app.user$.get())?.primaryEmail !== 'ada@example.com') throw new Error('no user is signed in')
  }
  const { user, system } = process.cpuUsage(before)
  rounds.push((user + system) / 1_000)
}
// The first round is measured without warm-up, like a test run.
const [first = NaN, ...later] = rounds
print(`50 tests that sign in, in time of the processor (limit ${limitMillis} ms)`, [
  { name: 'the first time', value: `${first.toFixed(0)} ms` },
  { name: 'afterwards', value: `${Math.min(...later).toFixed(0)} ms` },
])
if (first > limitMillis) process.exitCode = 1

const storyLimitMillis = 5
const platform = createPlatform({
  seed: { users, teams: [{ displayName: 'Ops', members: [{ email: 'ada@example.com' }] }] },
})
const before = process.cpuUsage()
for (let story = 0; story < 50; story++) {
  const app = createClientApp({ ...platform.options, tokens: await platform.tokensFor('ada@example.com') })
  const [user, teams] = await Promise.all([app.user$.get(), app.teams$.get()])
  if (!user || teams.length !== 1) throw new Error('the story has no user or no team')
}
const { user, system } = process.cpuUsage(before)
const each = (user + system) / 50_000
print(`50 stories with a signed-in app (limit ${storyLimitMillis} ms each)`, [
  { name: 'each', value: `${each.toFixed(2)} ms` },
])
if (each > storyLimitMillis) process.exitCode = 1
