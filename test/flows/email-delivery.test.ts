import { createTsxEmailTemplate, emailThemes$, renderTsxEmail, sendTestWebhook } from 'rxauth/admin'
import type { RenderTsxEmailInput } from 'rxauth/admin'
import { emailDeliveryInfo$ } from 'rxauth/server'
import type { Wire } from 'rxauth/platform'
import { ada } from '../world'
import { newerWays } from './way'
import type { Way } from './way'
import { emailConfig } from '../mail-server'

const template = `import { NotificationCategory, Subject } from '@stackframe/emails'
export const EmailTemplate = () => <p>Hello<Subject value="Hi" /><NotificationCategory value="Marketing" /></p>`
const theme = 'export default ({ children }) => <main>{children}</main>'

describe.each(newerWays)('%s,', (_, open, release) => {
  let way: Way
  const start = async (wire: Wire = release) =>
    (way = await open({ seed: { users: [ada], project: { config: { emailConfig } } }, wire }))
  afterEach(() => way.close())

  // Promise: mail-delivery
  it('how mails arrive is shown after each mail, and by the hour, day, week and month', async () => {
    await start('2026')
    const server = way.newServerApp()
    const shown: (readonly number[])[] = []
    emailDeliveryInfo$(server).subscribe(({ stats: { hour, month } }) =>
      shown.push([hour.sent, hour.bounced, hour.markedAsSpam, month.sent]),
    )
    await emailDeliveryInfo$(server).get()
    const emails = ['a@example.com', 'bounced@outcome.test', 'marked-as-spam@outcome.test', 'server-error@outcome.test']
    await server.sendEmail({ emails, html: '<p>Hi</p>' })
    await way.pass(2 * 3_600_000)
    await emailDeliveryInfo$(server).refresh()
    expect(shown).toEqual([
      [0, 0, 0, 0],
      [3, 1, 1, 3],
      [0, 0, 0, 3],
    ])
    expect((await emailDeliveryInfo$(server).get()).capacity).toMatchObject({
      isBoostActive: false,
      boostMultiplier: 1,
    })
  })

  // Promise: mail-delivery
  it('a template is rendered in a theme, each by its id or its source', async () => {
    await start()
    const admin = way.newAdminApp()
    const sources = { templateTsxSource: template, themeTsxSource: theme }
    expect(await renderTsxEmail(admin, sources)).toMatchObject({
      ok: true,
      value: { html: '<main><p>Hello</p></main>', subject: 'Hi' },
    })
    const { id: templateId } = await createTsxEmailTemplate(admin, { displayName: 'News' })
    const themeId = (await emailThemes$(admin).get())[1]!.id
    const byId = await renderTsxEmail(admin, { templateId, themeId })
    expect(byId).toMatchObject({ ok: true, value: { notificationCategory: 'Transactional' } })
    expect(byId.ok && byId.value.html).toContain('#111827')
    const broken = { templateTsxSource: '() => <p>{now()}</p>', themeTsxSource: theme }
    expect(await renderTsxEmail(admin, broken)).toMatchObject({ ok: false, error: { code: 'EMAIL_RENDERING_ERROR' } })
  })

  it.each<[what: string, input: object, field: string]>([
    ['no template', { themeTsxSource: theme }, 'templateId'],
    ['two templates', { templateId: 'x', templateTsxSource: template, themeTsxSource: theme }, 'templateId'],
  ])('rendering with %s is INVALID_INPUT before a request', async (_, input, field) => {
    await start()
    const render = renderTsxEmail(way.newAdminApp(), input as RenderTsxEmailInput)
    await expect(render).rejects.toMatchObject({ code: 'INVALID_INPUT', details: { field } })
    expect(way.answersTo('POST /emails/render-email')).toEqual([])
  })

  it('a test webhook fails on the local platform, whose endpoints have no ids', async () => {
    await start()
    expect(await sendTestWebhook(way.newAdminApp(), { endpointId: 'ep_1' })).toEqual({
      success: false,
      errorMessage: 'Endpoint not found. Make sure it still exists.',
    })
  })

  it('they are NOT_ON_THIS_PLATFORM on the reference release', async () => {
    await start('2.8.18')
    const admin = way.newAdminApp()
    const sources = { templateTsxSource: template, themeTsxSource: theme }
    for (const run of [
      () => emailDeliveryInfo$(admin).get(),
      () => sendTestWebhook(admin, { endpointId: 'ep_1' }),
      () => renderTsxEmail(admin, sources),
    ])
      await expect(run()).rejects.toMatchObject({ code: 'NOT_ON_THIS_PLATFORM' })
  })
})
