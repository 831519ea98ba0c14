import { emailConfig } from '../../mail-server'
import { ada } from '../../world'
import { adminWorld as newAdminWorld } from '../admin-world'

const content = {
  root: { type: 'EmailLayout', data: { childrenIds: ['hello'] } },
  hello: { type: 'Text', data: { props: { text: 'Hello {{ userDisplayName }}' } } },
}

const adminWorld = (config: object = { emailConfig }) => newAdminWorld({ seed: { users: [ada], project: { config } } })

describe('the e-mail templates', () => {
  // Promise: not-on-this-platform
  it('are changed in part, shown from the answer, and reset', async () => {
    const { admin, fresh, requests, settled, inTime } = await adminWorld()
    const type = 'password_reset'
    const shown: unknown[] = []
    admin.emailTemplate$({ type }).subscribe(({ subject, content, isDefault }) => {
      shown.push({ subject, content, isDefault })
    })
    admin.emailTemplates$.subscribe()
    const original = await settled(admin.emailTemplate$({ type }).get())
    requests.length = 0
    expect(await settled(admin.updateEmailTemplate({ type, subject: 'Reset it' }))).toEqual({
      ...original,
      subject: 'Reset it',
      isDefault: false,
    })
    await settled(admin.updateEmailTemplate({ type, content }))
    expect(admin.emailTemplates$.snapshot).toMatchObject({
      value: expect.arrayContaining([
        { source: 'classic', type, subject: 'Reset it', content, isDefault: false },
      ]) as unknown,
    })
    expect(requests).toEqual(['PATCH /email-templates/password_reset', 'PATCH /email-templates/password_reset'])
    await inTime(admin.resetEmailTemplate({ type }))
    // A template that is the platform's own already counts as reset.
    await inTime(admin.resetEmailTemplate({ type }))
    expect(shown).toEqual([
      { subject: original.subject, content: original.content, isDefault: true },
      { subject: 'Reset it', content: original.content, isDefault: false },
      { subject: 'Reset it', content, isDefault: false },
      { subject: original.subject, content: original.content, isDefault: true },
    ])
    expect(await inTime(admin.emailTemplates$.get())).toEqual(await inTime(fresh().emailTemplates$.get()))
  })

  it('are not reset by a refusal for another reason', async () => {
    const { admin, platform, requests, inTime } = await adminWorld()
    platform.faults.next('DELETE /email-templates/{type}', { status: 403 })
    const reset = admin.resetEmailTemplate({ type: 'magic_link' })
    await expect(inTime(reset)).rejects.toMatchObject({ code: 'REQUEST_FAILED', status: 403 })
    expect(requests).toEqual(['DELETE /email-templates/magic_link'])
  })

  // Promise: project-mails
  it('are used for the mails of the project from then on', async () => {
    const { admin, app, platform, inTime } = await adminWorld()
    await inTime(admin.updateEmailTemplate({ type: 'password_reset', subject: 'For {{ userDisplayName }}', content }))
    await inTime(app.sendPasswordResetEmail({ email: 'ada@example.com', callbackUrl: 'http://localhost:3000/r' }))
    const { subject, text, code } = await platform.mailbox('ada@example.com').next()
    expect([subject, text, code?.length]).toEqual(['For Ada', 'Hello Ada\n', 45])
  })
})

describe('a preview', () => {
  it.each(['default-light', 'default-dark'] as const)('shows HTML in the theme %s', async theme => {
    const { admin, inTime } = await adminWorld()
    const result = await inTime(admin.renderEmail({ theme, previewHtml: '<b>Hi</b>' }))
    if (!result.ok) throw result.error
    expect(result.value.html).toMatch(/^<!doctype html>[^]*<b>Hi<\/b>/)
    expect(result.value.html.includes('#FFFFFF')).toBe(theme === 'default-light')
  })

  it('that the platform cannot render returns an error', async () => {
    const { admin, inTime } = await adminWorld()
    expect(await inTime(admin.renderEmail({ theme: 'default-dark', previewHtml: '<p>Hi<!-- </p>' }))).toMatchObject({
      ok: false,
      error: {
        code: 'EMAIL_RENDERING_ERROR',
        status: 400,
        details: { error: 'Unexpected token at "!-- </p>"' },
      },
    })
  })
})
