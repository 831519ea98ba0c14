import {
  createEmailDraft,
  createEmailTheme,
  createTsxEmailTemplate,
  deleteEmailTheme,
  emailDraft$,
  emailTheme$,
  emailThemes$,
  renderTsxEmail,
  updateEmailDraft,
  updateEmailTheme,
  updateTsxEmailTemplate,
} from 'rxauth/admin'
import type { AdminApp, RenderTsxEmailInput, TsxEmailTemplate } from 'rxauth/admin'
import type { Wire } from 'rxauth/platform'
import { emailConfig } from '../../mail-server'
import { ada } from '../../world'
import { adminWorld as newAdminWorld } from '../admin-world'
import { exchangedAdmin } from '../exchanged-admin'

const template = `import { NotificationCategory, Subject } from '@stackframe/emails'
export const EmailTemplate = () => <p>Hello<Subject value="Hi" /><NotificationCategory value="Marketing" /></p>`
const theme = 'export const EmailTheme = ({ children }) => <main>{children}</main>'
const broken = 'export function EmailTemplate() { return <p>{now()}</p> }'
const sources = { templateTsxSource: template, themeTsxSource: theme }

const adminWorld = (config: object = { emailConfig }, wire: Wire = '2026') =>
  newAdminWorld({ wire, seed: { users: [ada], project: { config } } })

interface Kind {
  readonly right: string
  readonly create: (admin: AdminApp, input: { readonly displayName: string }) => Promise<{ readonly id: string }>
  readonly update: (admin: AdminApp, id: string, tsxSource: string) => Promise<unknown>
  readonly read: (admin: AdminApp, id: string) => Promise<{ readonly tsxSource: string } | null | undefined>
}

const kinds: Readonly<Record<string, Kind>> = {
  template: {
    right: template,
    create: createTsxEmailTemplate,
    update: (admin, emailTemplateId, tsxSource) => updateTsxEmailTemplate(admin, { emailTemplateId, tsxSource }),
    read: async (admin, id) =>
      (await admin.emailTemplates$.refresh()).find(each => each.source === 'tsx' && each.id === id) as TsxEmailTemplate,
  },
  theme: {
    right: theme,
    create: createEmailTheme,
    update: (admin, emailThemeId, tsxSource) => updateEmailTheme(admin, { emailThemeId, tsxSource }),
    read: (admin, emailThemeId) => emailTheme$(admin, { emailThemeId }).get(),
  },
  draft: {
    right: template,
    create: createEmailDraft,
    update: (admin, emailDraftId, tsxSource) => updateEmailDraft(admin, { emailDraftId, tsxSource }),
    read: (admin, emailDraftId) => emailDraft$(admin, { emailDraftId }).get(),
  },
}

describe.each(Object.entries(kinds))('a %s of mails', (name, { right, create, update, read }) => {
  // Promise: email-templates
  it('has a first source, then the given one; only a draft may have one that cannot be rendered', async () => {
    const { admin, inTime } = await adminWorld()
    const { id } = await inTime(create(admin, { displayName: 'News' }))
    const source = async () => (await inTime(read(admin, id)))?.tsxSource
    expect(await source()).toContain('return')
    await inTime(update(admin, id, right))
    expect(await source()).toBe(right)
    const outcome = await inTime(update(admin, id, broken))
    if (name !== 'draft') expect(outcome).toMatchObject({ ok: false, error: { code: 'EMAIL_RENDERING_ERROR' } })
    expect(await source()).toBe(name === 'draft' ? broken : right)
  })

  // Promise: email-templates
  it('of an unknown id is null', async () => {
    const { admin, inTime } = await adminWorld()
    expect((await inTime(read(admin, '00000000-0000-4000-8000-000000000000'))) ?? null).toBeNull()
  })
})

describe('templates of mails', () => {
  it('need a mail server of the project', async () => {
    const { admin, inTime } = await adminWorld({})
    await expect(inTime(createTsxEmailTemplate(admin, { displayName: 'News' }))).rejects.toMatchObject({
      code: 'REQUIRES_CUSTOM_EMAIL_SERVER',
    })
  })

  it.each([
    ['2026', 'tsx', ['GET /internal/email-templates', 'GET /internal/email-templates']],
    // Promise: email-templates
    ['2.8.18', 'classic', ['GET /internal/email-templates', 'GET /email-templates', 'GET /email-templates']],
  ] as const)('are in one store, on %s of the kind %s: the other era is asked for once at most', async (...row) => {
    const [wire, source, asked] = row
    const { admin, inTime, requests } = await adminWorld({ emailConfig }, wire)
    for (let count = 0; count < 2; count++)
      expect(new Set((await inTime(admin.emailTemplates$.refresh())).map(each => each.source))).toEqual(
        new Set([source]),
      )
    expect(requests).toEqual(asked)
  })

  it('that cannot be loaded are not looked for in the other era', async () => {
    const { admin, inTime, requests, platform } = await adminWorld()
    platform.faults.next('GET /internal/email-templates', { status: 500 })
    await expect(inTime(admin.emailTemplates$.get())).rejects.toMatchObject({ code: 'REQUEST_FAILED' })
    expect(requests).toEqual(['GET /internal/email-templates'])
  })

  it.each([
    ['emailTemplate$', (admin: AdminApp) => admin.emailTemplate$({ type: 'magic_link' }).get()],
    ['updateEmailTemplate', (admin: AdminApp) => admin.updateEmailTemplate({ type: 'magic_link', subject: 'Hi' })],
    // A reset loads the template if the refusal may also mean that there is nothing to reset.
    // Promise: email-templates
    ['resetEmailTemplate', (admin: AdminApp) => admin.resetEmailTemplate({ type: 'magic_link' })],
  ])('%s says where they are missing by type what there is instead', async (_, run) => {
    const { admin, inTime } = await adminWorld()
    await expect(inTime<unknown>(run(admin))).rejects.toMatchObject({
      code: 'NOT_ON_THIS_PLATFORM',
      message: expect.stringContaining('updateTsxEmailTemplate') as string,
    })
  })
})

describe('a template in a theme', () => {
  // Promise: mail-delivery
  it('is rendered, each by its id or its source', async () => {
    const { admin, inTime } = await adminWorld()
    expect(await inTime(renderTsxEmail(admin, sources))).toMatchObject({
      ok: true,
      value: { html: '<main><p>Hello</p></main>', subject: 'Hi' },
    })
    const { id: templateId } = await inTime(createTsxEmailTemplate(admin, { displayName: 'News' }))
    const themeId = (await inTime(emailThemes$(admin).get()))[1]!.id
    const byId = await inTime(renderTsxEmail(admin, { templateId, themeId }))
    expect(byId).toMatchObject({ ok: true, value: { notificationCategory: 'Transactional' } })
    expect(byId.ok && byId.value.html).toContain('#111827')
    expect(await inTime(renderTsxEmail(admin, { ...sources, templateTsxSource: broken }))).toMatchObject({
      error: { code: 'EMAIL_RENDERING_ERROR' },
    })
  })

  it.each<[what: string, input: object, field: string]>([
    ['no template', { themeTsxSource: theme }, 'templateId'],
    ['two templates', { templateId: 'x', ...sources }, 'templateId'],
    ['two themes', { themeId: 'x', ...sources }, 'themeId'],
  ])('with %s is INVALID_INPUT before a request', async (_, input, field) => {
    const { admin, inTime, lines } = exchangedAdmin([])
    const rendering = inTime(renderTsxEmail(admin, input as RenderTsxEmailInput))
    await expect(rendering).rejects.toMatchObject({ code: 'INVALID_INPUT', details: { field } })
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

it('deleteEmailTheme is NOT_ON_THIS_PLATFORM for a bare 405, and asks again for the next', async () => {
  const { admin, inTime, lines } = exchangedAdmin(Array(2).fill({ status: 405, text: '' }))
  for (const emailThemeId of ['one', 'two'])
    await expect(inTime(deleteEmailTheme(admin, { emailThemeId }))).rejects.toMatchObject({
      code: 'NOT_ON_THIS_PLATFORM',
      details: { call: 'DELETE /internal/email-themes/{emailThemeId}' },
    })
  expect(lines).toHaveLength(2)
})
