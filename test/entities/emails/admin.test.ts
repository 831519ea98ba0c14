import { inspect, isAuthError } from 'rxauth'
import { createAdminApp } from 'rxauth/admin'
import { mailServer as emailConfig } from '../../flows/stage'
import { ada } from '../../world'
import { adminWorld } from '../admin-world'

describe('sent mail', () => {
  it('is listed newest first, with its first recipient', async () => {
    const { admin, app, inTime, clock } = await adminWorld()
    await inTime(app.sendPasswordResetEmail({ email: ada.email, callbackUrl: 'http://localhost:3000/r' }))
    const sentAt = new Date(clock.now())
    const sent = admin.sendSignInInvitation({ email: ' New@Example.com', callbackUrl: 'http://localhost:3000/' })
    expect(await inTime(sent)).toEqual({ ok: true, value: undefined })
    const [invitation, reset, ...more] = await inTime(admin.sentEmails$.get())
    expect([reset?.subject, reset?.to, reset?.recipient, more]).toEqual([
      'Reset your password at Local project',
      [ada.email],
      ada.email,
      [],
    ])
    expect(invitation).toEqual({
      id: expect.any(String) as string,
      subject: 'Sign in to Local project',
      to: ['new@example.com'],
      recipient: 'new@example.com',
      sentAt,
      senderConfig: {
        type: 'shared',
        host: '127.0.0.1',
        port: 2500,
        username: 'none',
        senderName: 'Local project',
        senderEmail: 'noreply@localhost',
      },
      error: null,
    })
  })

  it('has an empty recipient if the platform names none', async () => {
    const { platform, inTime } = await adminWorld()
    const mail = { id: 'x', subject: 's', sent_at_millis: 1, sender_config: { type: 'shared' } }
    const admin = createAdminApp({
      ...platform.adminOptions,
      fetch: () => Promise.resolve(new Response(JSON.stringify({ items: [mail], is_paginated: false }))),
    })
    expect(await inTime(admin.sentEmails$.get())).toMatchObject([{ to: [], recipient: '', error: null }])
  })
})

describe('a test mail', () => {
  it('comes from the tested server, which the project does not keep', async () => {
    const { admin, platform, inTime } = await adminWorld()
    const result = await inTime(admin.sendTestEmail({ recipientEmail: ada.email, emailConfig }))
    expect(result).toEqual({ ok: true, value: undefined })
    expect((await platform.mailbox(ada.email).next()).from).toBe('Shop <shop@example.com>')
    const [sent] = await inTime(admin.sentEmails$.get())
    expect([sent?.senderConfig?.senderName, sent?.error]).toEqual(['Shop', null])
    expect((await inTime(admin.adminProject$.get())).config.emailConfig).toEqual({ type: 'shared' })
  })

  // Promise: mail-server-password
  it('that no server accepts returns an error, is listed with it, and reaches no mailbox', async () => {
    const { admin, platform, inTime } = await adminWorld()
    const wrong = { ...emailConfig, host: 'mail.example.com' }
    const result = await inTime(admin.sendTestEmail({ recipientEmail: ada.email, emailConfig: wrong }))
    expect(result).toMatchObject({
      ok: false,
      error: { code: 'TEST_EMAIL_FAILED', errorMessage: expect.stringContaining('mail.example.com') as string },
    })
    expect(platform.mailbox(ada.email).messages).toEqual([])
    const listed = await inTime(admin.sentEmails$.get())
    expect(listed).toMatchObject([{ recipient: ada.email, error: expect.anything() as unknown }])
    expect(JSON.stringify([result, listed, inspect(admin)])).not.toContain(emailConfig.password)
  })

  it('fails with the kit’s own message if the platform gives none', async () => {
    const { platform, inTime } = await adminWorld()
    const admin = createAdminApp({
      ...platform.adminOptions,
      fetch: () => Promise.resolve(new Response(JSON.stringify({ success: false }))),
    })
    const result = await inTime(admin.sendTestEmail({ recipientEmail: ada.email, emailConfig }))
    const errorMessage = expect.stringMatching(/mail server/) as string
    expect(result).toMatchObject({
      ok: false,
      error: { code: 'TEST_EMAIL_FAILED', errorMessage, details: { errorMessage } },
    })
    expect(isAuthError(result.ok ? null : result.error, 'TEST_EMAIL_FAILED')).toBe(true)
  })
})

describe('an invitation to sign in', () => {
  it('to a URL that the project does not trust returns an error', async () => {
    const { admin, inTime } = await adminWorld()
    const sending = admin.sendSignInInvitation({ email: 'new@example.com', callbackUrl: 'https://evil.example/' })
    expect(await inTime(sending)).toMatchObject({ ok: false, error: { code: 'REDIRECT_URL_NOT_WHITELISTED' } })
    expect(await inTime(admin.sentEmails$.get())).toEqual([])
  })
})
