import type { ReactNode } from 'react'
import { emailThemes$ } from 'rxauth/admin'
import { useStore } from 'rxauth/react'
import { NotFoundPage } from '../../handlers/not-found'
import { PageHeading } from '../../ui/page-heading'
import { WithStore } from '../../ui/with-store'
import { useProject } from '../project/project-context'
import { MailServer } from './mail-server'
import { SentMails } from './sent-mails'
import { isTemplateType } from './template-names'
import { TsxMails } from './tsx-mails'
import { TemplateList } from './template-list'
import { TemplatePage } from './template-page'

/** The project's mails: their server, their templates, and those already sent. */
export function Emails({ item }: { readonly item: string | undefined }): ReactNode {
  const { app } = useProject()
  const themes = useStore(emailThemes$(app))
  /** A release of 2026 has templates in TSX, and an outbox. */
  const isTsx = themes.status === 'ready'
  if (item !== undefined) return isTemplateType(item) ? <TemplatePage key={item} type={item} /> : <NotFoundPage />
  return (
    <>
      <PageHeading title="E-mails" />
      {themes.status !== 'pending' && (isTsx ? <TsxMails /> : <TemplateList />)}
      <WithStore store={app.adminProject$} label="Mail server">
        {({ config }) => <MailServer key={config.emailConfig.type} config={config.emailConfig} />}
      </WithStore>
      <SentMails />
    </>
  )
}
