import type { ReactNode } from 'react'
import { NotFoundPage } from '../../handlers/not-found'
import { PageHeading } from '../../ui/page-heading'
import { WithStore } from '../../ui/with-store'
import { useProject } from '../project/project-context'
import { MailServer } from './mail-server'
import { SentMails } from './sent-mails'
import { isTemplateType } from './template-names'
import { TemplateList } from './template-list'
import { TemplatePage } from './template-page'

/** The project's mails: their server, their templates, and those already sent. */
export function Emails({ item }: { readonly item: string | undefined }): ReactNode {
  const { app } = useProject()
  if (item !== undefined) return isTemplateType(item) ? <TemplatePage key={item} type={item} /> : <NotFoundPage />
  return (
    <>
      <PageHeading title="E-mails" />
      <TemplateList />
      <WithStore store={app.adminProject$} label="Mail server">
        {({ config }) => <MailServer key={config.emailConfig.type} config={config.emailConfig} />}
      </WithStore>
      <SentMails />
    </>
  )
}
