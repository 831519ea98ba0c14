import { createAdminApp, createEmailDraft } from 'rxauth/admin'
import type { Wire } from 'rxauth/platform'
import { ada } from '../world'
import { declaring, samplesOf } from './every-sample'
import { everyStore, freshly, shortcoming, shownBy, type Shown, type Watched } from './every-store'
import { clock, inTime, labId, opsId, valuesOf, type Stage } from './stage'

const declared = declaring('optimistic')

/** Changes of every list by others. */
async function meanwhile({ platform, ids }: Pick<Stage, 'platform' | 'ids'>, wire?: Wire): Promise<void> {
  const admin = createAdminApp(platform.adminOptions)
  const userId = ids.ada
  await inTime(
    Promise.all([
      admin.createContactChannelById({ userId, value: 'office@example.com' }),
      platform.tokensFor(ada.email),
      admin.createUserApiKeyById({ userId, description: 'other' }),
      admin.createTeamApiKeyById({ teamId: opsId, description: 'other' }),
      admin.updateTeamById({ teamId: labId, displayName: 'Laboratory' }),
      admin.updateUserById({ userId, clientReadOnlyMetadata: { plan: 'pro' } }),
      admin.createTeamPermissionDefinition({ id: 'z_other' }),
      admin.createProjectPermissionDefinition({ id: 'y_other' }),
      admin.updateProject({ description: 'Sells things' }),
      ...(wire === '2026' ? [createEmailDraft(admin, { displayName: 'Other' })] : []),
    ]),
  )
  admin.dispose()
}

it('every write that declares `optimistic` is tested below', () => {
  expect(declared.filter(name => samplesOf([name]).length === 0)).toEqual([])
  expect(declared.length).toBeGreaterThan(20)
})

it.each(samplesOf(declared))(
  'a change shows at once, over what others change meanwhile, and is taken back if it is refused: %s',
  async (_, { level, wire, begin }) => {
    const { stage, ...tried } = await begin()
    const { app } = stage
    const all = everyStore(level, valuesOf(stage))
    const shown = new Map<Watched, Shown[]>(all.map(each => [each, []]))
    for (const [each, values] of shown) each.open(app).snapshot$.subscribe(snapshot => values.push(shownBy(snapshot)))
    const last = (each: Watched) => shown.get(each)!.at(-1)!
    await clock.advance(1000)
    await tried.prepare()
    await clock.advance(1000)
    const before = new Map(all.map(each => [each, last(each).value]))
    const changed = () => all.filter(each => last(each).value !== before.get(each))

    const refuse = stage.holdWrite()
    const refused = tried.write().catch((error: unknown) => error)
    await clock.advance(3000)
    const stores = changed()
    expect(stores).not.toEqual([])
    refuse({ status: 403 })
    expect(await inTime(refused)).toMatchObject({ status: 403 })
    await clock.advance(1000)
    expect(changed().map(({ name }) => name)).toEqual([])

    const release = stage.holdWrite()
    const written = tried.write()
    await clock.advance(3000)
    // Of each store what it shows at once.
    for (const each of stores) shown.get(each)!.splice(0, shown.get(each)!.length - 1)
    await meanwhile(stage, wire)
    const loaded = async () => {
      const fresh = stage.fresh()
      const values = await inTime(Promise.all(stores.map(each => freshly(each.open(fresh)))))
      fresh.dispose()
      return values
    }
    const without = await loaded()
    await inTime(Promise.all(stores.map(each => each.open(app).refresh())))
    const over = stores.map(last)
    for (const [index, each] of stores.entries())
      expect(shown.get(each)!.map(({ value }) => value)).not.toContain(without[index]!.value)
    release()
    await inTime(written)
    const after = await loaded()
    expect(over.flatMap((value, index) => shortcoming(value, after[index]!) ?? [])).toEqual([])
    tried.dispose()
  },
)
