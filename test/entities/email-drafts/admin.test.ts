import { createEmailDraft, emailDrafts$, updateEmailDraft } from 'rxauth/admin'
import { adminStage, clock, inTime } from '../../flows/stage'

// Promise: draft-order
it('the draft that was changed last is the first of the list, at once and as the platform lists it', async () => {
  const stage = await adminStage('2026')
  const { app, platform } = stage
  const { id: older } = await inTime(createEmailDraft(app, { displayName: 'Older' }))
  await clock.advance(1000)
  await inTime(createEmailDraft(app, { displayName: 'Newer' }))
  const shown: string[][] = []
  emailDrafts$(app).subscribe(drafts => shown.push(drafts.map(({ displayName }) => displayName).slice(0, 2)))
  await clock.advance(1000)
  const release = stage.holdWrite()
  const updating = updateEmailDraft(app, { emailDraftId: older, displayName: 'Changed' })
  await clock.advance(1000)
  expect(shown).toEqual([
    ['Newer', 'Older'],
    ['Changed', 'Newer'],
  ])
  release()
  await inTime(updating)
  const fresh = stage.fresh()
  expect((await inTime(emailDrafts$(fresh).get())).map(({ displayName }) => displayName).slice(0, 2)).toEqual(
    shown.at(-1),
  )
  expect(shown).toHaveLength(2)
  fresh.dispose()
  app.dispose()
  platform.dispose()
})
