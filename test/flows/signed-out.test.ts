import { ada } from '../world'
import { everyStore, freshly, shownBy } from './every-store'
import { clientStage, clock, inTime, valuesOf, type Stage } from './stage'

/** Belongs to the app. */
const isOfUser = ({ name }: { readonly name: string }) => !name.startsWith('project$')

const storesOf = (stage: Stage) => everyStore('client', valuesOf(stage)).filter(isOfUser)

describe.each(['2.8.18', '2026'] as const)('on %s every store of a user', wire => {
  it('is empty while signed out, and asks for nothing', async () => {
    const stage = await clientStage(null, wire)
    const requests: string[] = []
    stage.platform.requests$.subscribe(({ path }) => requests.push(path))
    const shown = storesOf(stage).map(async ({ name, open }) => [name, (await freshly(open(stage.app))).value])
    expect((await inTime(Promise.all(shown))).filter(([, value]) => !/^(\[\]|null|false)$/.test(value!))).toEqual([])
    expect(requests).toEqual([])
  })

  it('is empty as soon as the user signs out', async () => {
    const stage = await clientStage(ada.email, wire)
    const shown = new Map<string, string>()
    for (const { name, open } of storesOf(stage))
      open(stage.app).snapshot$.subscribe(snapshot => shown.set(name, shownBy(snapshot).value))
    await clock.advance(1000)
    expect(shown.size).toBeGreaterThan(20)
    await inTime(stage.app.signOut())
    expect([...shown].filter(([, value]) => !/^(\[\]|null|false)$/.test(value))).toEqual([])
  })
})
