// What a running server of 2026 refuses, as it answers; these answers are not the local platform's own.
import { changePrimaryEmail, createClientApp, memoryTokens } from 'rxauth'
import { deleteEmailTheme, renderTsxEmail, updateEmailDraft } from 'rxauth/admin'
import { createPlatform } from 'rxauth/platform'
import { createOAuthProviderById } from 'rxauth/server'
import { exchangedAdmin } from '../entities/exchanged-admin'
import { newerWires } from '../platform/world-2026'
import { ada, grace } from '../world'

const link = {
  userId: 'u',
  providerConfigId: 'nope',
  accountId: '1',
  allowSignIn: true,
  allowConnectedAccounts: false,
}
const unknownProvider = { status: 404, text: 'OAuth provider nope not found or not configured' }
const noLinks = { body: { items: [], is_paginated: false } }

describe('createOAuthProviderById', () => {
  it('has the declared code for a provider that the project does not have', async () => {
    const { admin, inTime, lines } = exchangedAdmin([unknownProvider, noLinks])
    await expect(inTime(createOAuthProviderById(admin, link))).rejects.toMatchObject({
      code: 'OAUTH_PROVIDER_NOT_FOUND_OR_NOT_ENABLED',
      status: 404,
    })
    expect(lines).toEqual(['POST /oauth-providers', 'GET /oauth-providers'])
  })

  it('is NOT_ON_THIS_PLATFORM where the list of links is not there either', async () => {
    const { admin, inTime } = exchangedAdmin([unknownProvider, { status: 404, text: '' }])
    await expect(inTime(createOAuthProviderById(admin, link))).rejects.toMatchObject({ code: 'NOT_ON_THIS_PLATFORM' })
  })
})

describe('deleteEmailTheme', () => {
  it('is NOT_ON_THIS_PLATFORM for a bare 405, and says so again with the next', async () => {
    const { admin, inTime, lines } = exchangedAdmin([
      { status: 405, text: '' },
      { status: 405, text: '' },
    ])
    for (const emailThemeId of ['one', 'two'])
      await expect(inTime(deleteEmailTheme(admin, { emailThemeId }))).rejects.toMatchObject({
        code: 'NOT_ON_THIS_PLATFORM',
        details: { call: 'DELETE /internal/email-themes/{emailThemeId}' },
      })
    expect(lines).toHaveLength(2)
  })
})

describe('renderTsxEmail', () => {
  it.each([[{}], [{ themeId: null }], [{ themeId: false as const }], [{ themeTsxSource: 'x' }]])(
    'takes the theme %j',
    async theme => {
      const { admin, inTime, bodies } = exchangedAdmin([{ body: { html: '<p>', subject: 's' } }])
      expect(await inTime(renderTsxEmail(admin, { templateId: 't', ...theme }))).toMatchObject({ ok: true })
      expect(bodies).toEqual([
        {
          template_id: 't',
          ...('themeTsxSource' in theme
            ? { theme_tsx_source: 'x' }
            : 'themeId' in theme
              ? { theme_id: theme.themeId }
              : {}),
        },
      ])
    },
  )

  it('takes no two themes', async () => {
    const { admin, inTime, lines } = exchangedAdmin([])
    // @ts-expect-error -- two themes
    const two = renderTsxEmail(admin, { templateId: 't', themeId: 'one', themeTsxSource: 'x' })
    await expect(inTime(two)).rejects.toMatchObject({ code: 'INVALID_INPUT', details: { field: 'themeId' } })
    expect(lines).toEqual([])
  })
})

it('updateEmailDraft does not offer null as a theme', async () => {
  const { admin, inTime, lines } = exchangedAdmin([])
  // @ts-expect-error -- the platform refuses it
  const refused = updateEmailDraft(admin, { emailDraftId: 'one', themeId: null })
  await expect(inTime(refused)).rejects.toMatchObject({ code: 'INVALID_INPUT', details: { field: 'themeId' } })
  expect(lines).toEqual([])
})

describe('sendEmail', () => {
  it.each([[{ draftId: 'one' }], [{ html: '<p>' }]])('takes no variables with %j', async content => {
    const { admin, inTime, lines } = exchangedAdmin([])
    // @ts-expect-error -- variables are for a template
    const refused = admin.sendEmail({ userIds: ['u'], ...content, variables: { a: 1 } })
    await expect(inTime(refused)).rejects.toMatchObject({ code: 'INVALID_INPUT', details: { field: 'variables' } })
    expect(lines).toEqual([])
  })
})

it('a country code of more than two letters says so', async () => {
  const { admin, inTime } = exchangedAdmin([])
  for (const countryCode of ['AUT', 'A', '12', ''])
    await expect(inTime(admin.updateUserById({ userId: 'u', countryCode }))).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringContaining('countryCode is not two letters'),
    })
})

describe('changePrimaryEmail', () => {
  it.each(newerWires)('returns USER_EMAIL_ALREADY_EXISTS for a taken address on %s', async wire => {
    const platform = createPlatform({ wire, seed: { users: [ada, grace] } })
    const taken = { code: 'USER_EMAIL_ALREADY_EXISTS', error: 'taken', details: { email: grace.email } }
    const app = createClientApp({
      ...platform.options,
      tokens: memoryTokens(),
      async fetch(input, init) {
        if (init?.method !== 'PATCH') return platform.options.fetch(input, init)
        const headers = {
          'x-stack-actual-status': '409',
          'x-stack-known-error': taken.code,
          'content-type': 'application/json',
        }
        return new Response(JSON.stringify(taken), { headers })
      },
    })
    await app.signInWithPassword({ email: ada.email, password: ada.password })
    expect(await changePrimaryEmail(app, { primaryEmail: grace.email })).toMatchObject({
      ok: false,
      error: { code: 'USER_EMAIL_ALREADY_EXISTS', details: { email: grace.email } },
    })
  })
})
