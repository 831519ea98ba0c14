import {
  createEmailDraft,
  createEmailTheme,
  createTsxEmailTemplate,
  deleteEmailDraft,
  deleteEmailTheme,
  deleteTsxEmailTemplate,
  emailDraft$,
  emailDrafts$,
  emailTheme$,
  emailThemes$,
  updateEmailDraft,
  updateEmailTheme,
  updateTsxEmailTemplate,
} from 'rxauth/admin'
import type { AdminApp } from 'rxauth/admin'
import type { Wire } from 'rxauth/platform'
import { ada } from '../world'
import { newerWays } from './way'
import type { Way } from './way'
import { emailConfig } from '../mail-server'

const unknownId = '00000000-0000-4000-8000-000000000000'
const imports = "import { NotificationCategory, Subject } from '@stackframe/emails'\n"
const named = '<Subject value="Hello" /><NotificationCategory value="Transactional" />'
const hello = `${imports}export function EmailTemplate() { return <p>${named}Hello</p> }`
const theme = 'export function EmailTheme({ children }) { return <main>{children}</main> }'
const broken = 'export function EmailTemplate() { return <p>{now()}</p> }'

/** The code with which the call rejects or which it returns; null if it does neither. */
const outcomeOf = <T>(promise: Promise<T>): Promise<unknown> =>
  promise.then(
    value => (value as { readonly error?: { readonly code: string } } | undefined)?.error?.code ?? null,
    (error: unknown) => (error as { readonly code: string }).code,
  )

interface Entity {
  readonly name: string
  readonly path: string
  readonly create: (app: AdminApp, displayName: string) => Promise<{ readonly id: string }>
  readonly change: (app: AdminApp, id: string, tsxSource: string) => Promise<unknown>
  readonly remove: (app: AdminApp, id: string) => Promise<unknown>
  readonly list: (app: AdminApp) => {
    get(): Promise<readonly object[]>
    refresh(): Promise<readonly object[]>
    subscribe(next: (value: readonly object[]) => void): unknown
  }
  /** Its source, in the store that shows it. */
  readonly sourceOf: (app: AdminApp, id: string) => Promise<string | undefined>
  readonly isChecked: boolean
  /** A source that can be rendered. */
  readonly right: string
  /** The status of a change of an unknown one. */
  readonly unknownStatus: number
}

const entities: readonly Entity[] = [
  {
    name: 'templates',
    path: '/internal/email-templates',
    create: (app, displayName) => createTsxEmailTemplate(app, { displayName }),
    change: (app, emailTemplateId, tsxSource) => updateTsxEmailTemplate(app, { emailTemplateId, tsxSource }),
    remove: (app, emailTemplateId) => deleteTsxEmailTemplate(app, { emailTemplateId }),
    list: app => app.emailTemplates$,
    sourceOf: async (app, id) =>
      (await app.emailTemplates$.get()).flatMap(each =>
        each.source === 'tsx' && each.id === id ? each.tsxSource : [],
      )[0],
    isChecked: true,
    right: hello,
    unknownStatus: 404,
  },
  {
    name: 'themes',
    path: '/internal/email-themes',
    create: (app, displayName) => createEmailTheme(app, { displayName }),
    change: (app, emailThemeId, tsxSource) => updateEmailTheme(app, { emailThemeId, tsxSource }),
    remove: (app, emailThemeId) => deleteEmailTheme(app, { emailThemeId }),
    list: app => emailThemes$(app),
    sourceOf: async (app, emailThemeId) => (await emailTheme$(app, { emailThemeId }).get())?.tsxSource,
    isChecked: true,
    right: theme,
    unknownStatus: 404,
  },
  {
    name: 'drafts',
    path: '/internal/email-drafts',
    create: (app, displayName) => createEmailDraft(app, { displayName }),
    change: (app, emailDraftId, tsxSource) => updateEmailDraft(app, { emailDraftId, tsxSource }),
    remove: (app, emailDraftId) => deleteEmailDraft(app, { emailDraftId }),
    list: app => emailDrafts$(app),
    sourceOf: async (app, emailDraftId) => (await emailDraft$(app, { emailDraftId }).get())?.tsxSource,
    isChecked: false,
    right: hello,
    unknownStatus: 500,
  },
]

describe.each(newerWays)('%s,', (_, open, release) => {
  let way: Way
  let app: AdminApp
  async function start(wire: Wire, config: object = { emailConfig }) {
    way = await open({ seed: { users: [ada], project: { config } }, wire })
    app = way.newAdminApp()
  }
  afterEach(() => way.close())

  describe.each(entities)(
    'the $name of mails',
    ({ path, create, change, remove, list, sourceOf, isChecked, right, unknownStatus }) => {
      const item = `${path}/{${path.includes('themes') ? 'emailThemeId' : path.includes('drafts') ? 'emailDraftId' : 'emailTemplateId'}}`

      // Release 2.8.86 deletes no theme.
      const deleting = path.includes('themes') ? '2026' : release

      /** The names in the list, which is loaded and subscribed to. */
      async function watched() {
        const shown: { names?: readonly unknown[] } = {}
        list(app).subscribe(all => (shown.names = all.map(each => (each as { displayName: string }).displayName)))
        await list(app).get()
        return shown
      }

      // Promise: email-templates
      it('are created, changed and deleted, and every store shows it when the promise resolves', async () => {
        await start(deleting)
        const shown = await watched()
        const before = shown.names ?? []
        const { id } = await create(app, 'News')
        expect(shown.names).toEqual([...before, 'News'])
        expect(await sourceOf(app, id)).toEqual(expect.stringContaining('return'))
        expect(await outcomeOf(change(app, id, right))).toBeNull()
        expect(await sourceOf(app, id)).toBe(right)
        expect(await sourceOf(way.newAdminApp(), id)).toBe(right)
        await remove(app, id)
        expect(shown.names).toEqual(before)
        expect(await sourceOf(app, id)).toBeUndefined()
      })

      // Promise: email-templates
      it('are shown from the answers of changes and deletions alone', async () => {
        await start(deleting)
        const { id } = await create(app, 'News')
        const shown = await watched()
        const asked = way.answersTo(`GET ${path}`).length
        await change(app, id, right)
        await remove(app, id)
        expect(shown.names).not.toContain('News')
        expect(way.answersTo(`GET ${path}`)).toHaveLength(asked)
      })

      // Promise: email-templates
      it('that do not exist are gone, and no missing call, even for a kit that knows nothing yet', async () => {
        await start(deleting)
        await expect(change(app, unknownId, right)).rejects.toMatchObject({
          code: 'REQUEST_FAILED',
          status: unknownStatus,
        })
        await remove(way.newAdminApp(), unknownId)
        const fresh = way.newAdminApp()
        expect(await sourceOf(fresh, unknownId)).toBeUndefined()
        expect(await outcomeOf(list(fresh).get())).toBeNull()
      })

      // Promise: email-templates
      it('with code that cannot be rendered are refused, drafts apart', async () => {
        await start(release)
        const { id } = await create(app, 'News')
        expect(await outcomeOf(change(app, id, broken))).toBe(isChecked ? 'EMAIL_RENDERING_ERROR' : null)
        expect((await sourceOf(app, id)) === broken).toBe(!isChecked)
      })

      it.each([
        ['waits as long as `retry-after` says', { status: 429, retryAfter: '1' }, false, null],
        ['rejects after a failure of the server', { status: 500 }, true, 'REQUEST_FAILED'],
        ['is done although the answer was lost', { loseResponse: true }, false, null],
      ] as const)('a deletion %s', async (_, fault, isLeft, code) => {
        await start(deleting)
        const { id } = await create(app, 'News')
        const shown = await watched()
        way.platform.faults.next(`DELETE ${item}`, fault)
        expect(await outcomeOf(remove(app, id))).toBe(code)
        await list(app).refresh()
        expect(shown.names?.includes('News')).toBe(isLeft)
      })

      it('are read again after a change whose answer was lost', async () => {
        await start(release)
        const { id } = await create(app, 'News')
        await watched()
        way.platform.faults.next(`PATCH ${item}`, { loseResponse: true })
        expect(await outcomeOf(change(app, id, right))).toBe('NETWORK_ERROR')
        expect(await sourceOf(app, id)).toBe(right)
      })

      // Promise: email-templates
      it('are NOT_ON_THIS_PLATFORM on the reference release', async () => {
        await start('2.8.18')
        const calls = {
          [`POST ${path}`]: () => create(app, 'News'),
          [`PATCH ${item}`]: () => change(app, unknownId, right),
          [`DELETE ${item}`]: () => remove(app, unknownId),
        }
        for (const [call, run] of Object.entries(calls))
          await expect(run()).rejects.toMatchObject({ code: 'NOT_ON_THIS_PLATFORM', details: { call } })
      })
    },
  )

  it('a new template needs a mail server of the project', async () => {
    await start(release, {})
    expect(await outcomeOf(createTsxEmailTemplate(app, { displayName: 'News' }))).toBe('REQUIRES_CUSTOM_EMAIL_SERVER')
  })

  // Promise: email-templates
  it('templates are in one store, of the era that the platform has', async () => {
    await start(release)
    await createTsxEmailTemplate(app, { displayName: 'News' })
    const sources = async () => (await app.emailTemplates$.refresh()).map(({ source }) => source)
    expect(await sources()).toEqual(Array(8).fill('tsx'))
    expect(way.answersTo('GET /email-templates')).toEqual([])
    await way.close()
    await start('2.8.18')
    for (let count = 0; count < 2; count++) expect(await sources()).toEqual(Array(5).fill('classic'))
    // The other era has been asked for once.
    expect(way.answersTo('GET /internal/email-templates')).toHaveLength(1)
    expect(way.answersTo('GET /email-templates')).toHaveLength(2)
    await app.updateEmailTemplate({ type: 'magic_link', subject: 'Hello' })
    expect(await app.emailTemplates$.get()).toContainEqual(
      expect.objectContaining({ type: 'magic_link', subject: 'Hello' }),
    )
  })

  it('a single theme or draft is NOT_ON_THIS_PLATFORM on the reference release, and not null', async () => {
    await start('2.8.18')
    for (const read of [emailTheme$(app, { emailThemeId: unknownId }), emailDraft$(app, { emailDraftId: unknownId })])
      expect(await outcomeOf(read.get())).toBe('NOT_ON_THIS_PLATFORM')
  })

  it('a failure of the list is not taken for the other era', async () => {
    await start(release)
    way.platform.faults.next('GET /internal/email-templates', { status: 500 })
    expect(await outcomeOf(app.emailTemplates$.get())).toBe('REQUEST_FAILED')
    expect(await outcomeOf(app.emailTemplates$.get())).toBeNull()
    expect(way.answersTo('GET /email-templates')).toEqual([])
  })

  // Promise: email-templates
  it.each([
    ['emailTemplate$', (admin: AdminApp) => admin.emailTemplate$({ type: 'magic_link' }).get()],
    ['updateEmailTemplate', (admin: AdminApp) => admin.updateEmailTemplate({ type: 'magic_link', subject: 'Hi' })],
    ['resetEmailTemplate', (admin: AdminApp) => admin.resetEmailTemplate({ type: 'magic_link' })],
  ])('%s says on the newer wire what there is instead', async (_, run) => {
    await start(release)
    await expect(run(app)).rejects.toMatchObject({
      code: 'NOT_ON_THIS_PLATFORM',
      message: expect.stringContaining('updateTsxEmailTemplate') as string,
    })
  })
})
