import type { Kit } from 'rxauth'
import { ada } from '../world'
import { adminWrites, clientWrites, declaring, samplesOf, serverWrites } from './every-sample'
import { adminStage, clientStage, clock, inTime, serverStage } from './stage'
import type { Stage, Write } from './stage'

const unknownId = '00000000-0000-4000-8000-000000000000'
const declared = declaring('done')
/** A team that the user is not in may still exist: only a lost answer counts as its deletion. */
const deletions = declared.filter(name => /^(delete|revoke|remove|leave)/.test(name) && name !== 'deleteTeam')
const changes = declared.filter(name => /^(update|pause|resume|cancel|retry)/.test(name))

// Promise: oauth-links
// Promise: refusal-is-not-done
describe('a deletion is done for a row that is gone, and rejects if it is refused for a row that is there', () => {
  it.each(samplesOf(deletions, clientWrites))('%s', async (_, write) => {
    await tryDeletion(write, await clientStage(ada.email, write.wire))
  })

  it.each(samplesOf(deletions, serverWrites))('%s of a server', async (_, write) => {
    await tryDeletion(write, await serverStage(ada.email, write.wire))
  })

  it.each(samplesOf(deletions, adminWrites))('%s of an admin', async (_, write) => {
    await tryDeletion(write, await adminStage(write.wire))
  })
})

async function tryDeletion<A extends Kit>({ prepare, write }: Write<A>, stage: Stage<A>): Promise<void> {
  const prepared = (prepare && (await inTime(prepare(stage)))) as never
  for (const status of [400, 404, 500]) {
    const refuse = stage.holdWrite()
    const refused = write(stage, prepared).catch((error: unknown) => error)
    await clock.advance(3000)
    refuse({ status })
    expect(await inTime(refused)).toMatchObject({ code: 'REQUEST_FAILED', status })
  }
  for (let times = 0; times < 2; times++)
    expect([undefined, { ok: true, value: undefined }]).toContainEqual(await inTime(write(stage, prepared)))
}

describe('a change of a row that does not exist rejects, also in a kit that has loaded nothing: it is no missing call', () => {
  it.each(samplesOf(changes, clientWrites))('%s', async (_, write) => {
    await tryChange(write, await clientStage(ada.email, write.wire))
  })

  it.each(samplesOf(changes, serverWrites))('%s of a server', async (_, write) => {
    await tryChange(write, await serverStage(ada.email, write.wire))
  })

  it.each(samplesOf(changes, adminWrites))('%s of an admin', async (_, write) => {
    await tryChange(write, await adminStage(write.wire))
  })
})

async function tryChange<A extends Kit>({ write }: Write<A>, stage: Stage<A>): Promise<void> {
  const ids = { ...stage.ids, template: unknownId, theme: unknownId, draft: unknownId, email: unknownId }
  const changing = write({ ...stage, ids }, unknownId as never)
  await expect(inTime(changing)).rejects.toMatchObject({ code: 'REQUEST_FAILED' })
}
