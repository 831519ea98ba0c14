import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { followIdentity, onCommitted, type TraceEvent } from 'rxauth'
import { sentTokensOf } from '../../src/backend/bearer'
import { coreOf } from '../../src/store/kit-parts'
import { readSources, root } from '../package/sources'
import { browser } from '../tabs'
import { ada, world } from '../world'

describe('the order of the listeners of a kit', () => {
  // Promise: listeners-in-order
  it('at a change of who is signed in: own fetch, followIdentity, the stores, in one commit; then their subscribers', async () => {
    const { app, settled } = await world()
    const order: string[] = []
    const commits: TraceEvent[] = []
    app.trace$.subscribe(event => event.type === 'commit' && commits.push(event))
    app.auth$.subscribe(({ status }) => order.push(`auth$: ${status}`))
    await settled(app.user$.get())
    const { session, cells } = coreOf(app)
    sentTokensOf(app)
      .endOf(session.identity.owner)
      .addEventListener('abort', () => order.push('own fetch'))
    const filled = () => [...cells].filter(cell => cell.isOwned && cell.known.base).length
    for (const name of ['one', 'two'])
      followIdentity(app, { name, clear: ({ to }) => void order.push(`${name}: ${to ?? 'none'}, ${filled()} filled`) })
    order.length = commits.length = 0
    await settled(app.signOut())
    expect(order).toEqual(['own fetch', 'one: none, 1 filled', 'two: none, 1 filled', 'auth$: signed-out'])
    expect(commits.filter(event => 'cause' in event && event.cause === 'session: signed-out')).toHaveLength(1)
  })

  // Promise: listeners-in-order
  it('at a write in another tab: the stores, whose loads have begun, then onCommitted', async () => {
    const { clock, signIn, tab } = browser()
    await signIn(ada)
    const [here, there] = [tab().app, tab().app]
    const order: string[] = []
    here.user$.snapshot$.subscribe(snapshot => {
      if ('refreshing' in snapshot && snapshot.refreshing) order.push('user$ loads')
    })
    there.user$.subscribe()
    await clock.advance(1000)
    order.length = 0
    for (const name of ['one', 'two']) onCommitted(here, () => order.push(`onCommitted ${name}`))
    void there.updateUser({ displayName: 'Countess' })
    await clock.advance(1000)
    expect(order).toEqual(['user$ loads', 'onCommitted one', 'onCommitted two'])
  })

  it('has a row for each event in the table of docs/contributing/architecture.md', () => {
    const declared = [...readSources('src').values()].flatMap(text =>
      [...text.matchAll(/readonly (\w+): Listeners</g)].map(([, name]) => name),
    )
    const page = readFileSync(join(root, 'docs/contributing/architecture.md'), 'utf8')
    const named = [...page.matchAll(/^\| `(\w+)` +\| (?:kit|session|sign-ins) /gm)].map(([, name]) => name)
    expect(declared.length).toBeGreaterThan(0)
    expect(new Set(named)).toEqual(new Set(declared))
  })
})

describe('a listener of a kit that throws', () => {
  // Promise: listeners-in-order
  it('keeps neither other listeners nor stores from showing who is signed in, and goes to onUnhandled', async () => {
    const errors: unknown[] = []
    const { app, settled } = await world({ app: { onUnhandled: error => errors.push(error) } })
    const seen: string[] = []
    app.auth$.subscribe(({ status }) => seen.push(status))
    await settled(app.user$.get())
    const thrown = new Error('of a listener')
    coreOf(app).changing.add(() => {
      throw thrown
    })
    coreOf(app).changing.add(cause => seen.push(`changing: ${cause}`))
    await settled(app.signOut())
    expect(seen.slice(-2)).toEqual(['changing: signed-out', 'signed-out'])
    expect(errors).toEqual([thrown])
  })
})
