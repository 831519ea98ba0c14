import { createTsxEmailTemplate, deleteTsxEmailTemplate, updateTsxEmailTemplate, type AdminApp } from 'rxauth/admin'
import type { Samples } from '../../flows/samples'
import { mailServer } from '../../flows/stage'

const withOwnServer = ({ app }: { readonly app: AdminApp }) =>
  app.updateProject({ config: { emailConfig: { type: 'standard', ...mailServer } } })

const hello = `import { NotificationCategory, Subject } from '@stackframe/emails'
export function EmailTemplate() {
  return <p><Subject value="Hello" /><NotificationCategory value="Transactional" />Hello</p>
}`

export const samples: Samples = {
  admin: {
    updateEmailTemplate: {
      fills: ['emailTemplate$ magic_link', 'emailTemplates$'],
      wire: '2.8.18',
      prepare: withOwnServer,
      write: ({ app }) => app.updateEmailTemplate({ type: 'magic_link', subject: 'Hello' }),
    },
    resetEmailTemplate: {
      wire: '2.8.18',
      async prepare(stage) {
        await withOwnServer(stage)
        await stage.app.updateEmailTemplate({ type: 'magic_link', subject: 'Hello' })
      },
      write: ({ app }) => app.resetEmailTemplate({ type: 'magic_link' }),
    },
    createTsxEmailTemplate: { wire: '2026', write: ({ app }) => createTsxEmailTemplate(app, { displayName: 'New' }) },
    updateTsxEmailTemplate: {
      fills: ['emailTemplates$'],
      wire: '2026',
      write: ({ app, ids }) =>
        updateTsxEmailTemplate(app, { emailTemplateId: ids.template, tsxSource: hello, themeId: ids.theme }),
    },
    deleteTsxEmailTemplate: {
      fills: ['emailTemplates$'],
      wire: '2026',
      write: ({ app, ids }) => deleteTsxEmailTemplate(app, { emailTemplateId: ids.template }),
    },
  },
  reads: ['renderEmail', 'renderTsxEmail'],
}
