import type { ReactNode } from 'react'
import { emailThemes$ } from 'rxauth/admin'
import { useStore } from 'rxauth/react'
import { NotFoundPage } from '../../handlers/not-found'
import { PageHeading } from '../../ui/page-heading'
import { Row } from '../../ui/rows'
import { Section } from '../../ui/section'
import { StatusBadge } from '../../ui/status-badge'
import { StoreList } from '../../ui/store-list'
import { Instant } from '../../ui/instant'
import { useProject } from '../project/project-context'
import { MailServer } from './mail-server'
import { isTemplateType, TemplateList } from './template-list'
import { TemplatePage } from './template-page'
import { TsxMails } from './tsx-mails'

/** The project's mails: their server, their templates, and those already sent. */
export function Emails({ item }: { readonly item: string | undefined }): ReactNode {
  const { app, project } = useProject()
  const themes = useStore(emailThemes$(app))
  /** A release of 2026 has templates in TSX, and an outbox. */
  const isTsx = themes.status === 'ready'
  if (item !== undefined) return isTemplateType(item) ? <TemplatePage key={item} type={item} /> : <NotFoundPage />
  return (
    <>
      <PageHeading title="E-mails" />
      {themes.status !== 'pending' && (isTsx ? <TsxMails /> : <TemplateList />)}
      <MailServer key={project.config.emailConfig.type} config={project.config.emailConfig} />
      <SentMails />
    </>
  )
}

/** The mails that the platform has sent for the project. */
function SentMails(): ReactNode {
  const { app } = useProject()
  return (
    <Section title="Sent mail" description="The last hundred, newest first.">
      <StoreList store={app.sentEmails$} label="Sent mail" empty="Nothing has been sent yet.">
        {({ id, subject, recipient, sentAt, error }) => (
          <Row
            key={id}
            title={subject}
            detail={
              <>
                To {recipient} · <Instant at={sentAt} />
              </>
            }
            action={
              error === null ? <StatusBadge>Sent</StatusBadge> : <StatusBadge kind="danger">Not sent</StatusBadge>
            }
          />
        )}
      </StoreList>
    </Section>
  )
}
