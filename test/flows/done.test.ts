import { declaring, everyWrite, onBothWires, samplesOf } from './every-sample'
import { clock, inTime } from './stage'

const unknownId = '00000000-0000-4000-8000-000000000000'
const declared = declaring('done')
/** Done after a lost answer alone: else the team may still exist, and the user or the permission never have. */
const onlyIfLost = ['deleteTeam', 'deleteUser', 'deleteUserById', 'deleteOwnUser', 'deleteProject']
const deletions = declared.filter(
  name => /^(delete(?!.*Definition)|revoke|remove|leave)/.test(name) && !onlyIfLost.includes(name),
)
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

/** A deletion is sent again after a lost answer; the end of an API key is a change. */
const repeated = everyWrite.filter(([, { name }]) => /^(delete|revoke(?!\w*ApiKey)|remove|leave|resetEmail)/.test(name))

// Promise: refusal-is-not-done
it.each(onBothWires(repeated))(
  'on %s, a deletion is done although its answer was lost: %s',
  async (wire, _, { begin }) => {
    const { stage, prepare, write } = await begin(wire)
    await prepare()
    const lose = stage.holdWrite()
    const done = write()
    await clock.advance(3000)
    lose({ loseResponse: true })
    expect([undefined, { ok: true, value: undefined }]).toContainEqual(await inTime(done))
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
