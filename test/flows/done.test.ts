import { declaring, samplesOf } from './every-sample'
import { clock, inTime } from './stage'

const unknownId = '00000000-0000-4000-8000-000000000000'
const declared = declaring('done')
/** A team that the user is not in may still exist: only a lost answer counts as its deletion. */
const deletions = declared.filter(name => /^(delete|revoke|remove|leave)/.test(name) && name !== 'deleteTeam')
const changes = declared.filter(name => /^(update|pause|resume|cancel|retry)/.test(name))

// Promise: oauth-links
// Promise: refusal-is-not-done
it.each(samplesOf(deletions))(
  'a deletion is done for a row that is gone, and rejects if it is refused for a row that is there: %s',
  async (_, { begin }) => {
    const { stage, prepare, write } = await begin()
    await prepare()
    for (const status of [400, 404, 500]) {
      const refuse = stage.holdWrite()
      const refused = write().catch((error: unknown) => error)
      await clock.advance(3000)
      refuse({ status })
      expect(await inTime(refused)).toMatchObject({ code: 'REQUEST_FAILED', status })
    }
    for (let times = 0; times < 2; times++)
      expect([undefined, { ok: true, value: undefined }]).toContainEqual(await inTime(write()))
  },
)

it.each(samplesOf(changes))(
  'a change of a row that does not exist rejects, also in a kit that has loaded nothing: it is no missing call: %s',
  async (_, { begin }) => {
    const { stage, write } = await begin()
    const ids = { ...stage.ids, template: unknownId, theme: unknownId, draft: unknownId, email: unknownId }
    await expect(inTime(write(ids, unknownId))).rejects.toMatchObject({ code: 'REQUEST_FAILED' })
  },
)
