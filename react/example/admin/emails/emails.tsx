import type { ReactNode } from 'react'
import { view } from 'rxauth'
import { emailTemplates$, emailThemes$ } from 'rxauth/admin'
import type { EmailTemplateType } from 'rxauth/admin'
import { useStore } from 'rxauth/react'
import { NotFoundPage } from '../../handlers/not-found'
import { TextLink } from '../../ui/button'
import { Instant } from '../../ui/instant'
import { Row, StoreList } from '../../ui/rows'
import { PageHeading, Section, StatusBadge } from '../../ui/section'
import { useProject } from '../project/project-context'
import { SettingSelect } from '../settings/setting-field'
import { MailServer } from './mail-server'
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

/** The name of each mail, and when it is sent. */
export const templateNames: Readonly<Record<EmailTemplateType, { readonly name: string; readonly when: string }>> = {
  email_verification: { name: 'Verification of an address', when: 'A user signs up or adds an address.' },
  password_reset: { name: 'New password', when: 'A user has forgotten the password.' },
  magic_link: { name: 'Link to sign in', when: 'A user signs in by e-mail.' },
  team_invitation: { name: 'Invitation to a team', when: 'A member invites a person to the team.' },
  sign_in_invitation: { name: 'Invitation to sign in', when: 'An owner invites a person.' },
}

function isTemplateType(text: string): text is EmailTemplateType {
  return Object.hasOwn(templateNames, text)
}

const templates$ = view(emailTemplates$, all => all.filter(template => template.source === 'classic'))

/** The platform's mails and their theme. */
function TemplateList(): ReactNode {
  const { app, base } = useProject()
  return (
    <Section title="Templates" description="The mails that the platform sends by itself. You can edit each of them.">
      <StoreList store={templates$(app)} label="Templates" empty="There are no templates.">
        {({ type, subject, isDefault }) => (
          <Row
            key={type}
            title={<TextLink to={`${base}/emails/${type}`}>{templateNames[type].name}</TextLink>}
            detail={subject}
            action={!isDefault && <StatusBadge>Edited</StatusBadge>}
          />
        )}
      </StoreList>
      <SettingSelect
        setting="emailTheme"
        label="Theme"
        options={[
          { value: 'default-light', label: 'Light' },
          { value: 'default-dark', label: 'Dark' },
        ]}
      />
    </Section>
  )
}
