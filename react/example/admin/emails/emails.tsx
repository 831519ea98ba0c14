import type { ReactNode } from 'react'
import type { OwnedProject } from 'rxauth'
import { emailThemes$, type AdminApp } from 'rxauth/admin'
import { useAction, useStore } from 'rxauth/react'
import { NotFoundPage } from '../../handlers/not-found'
import { Alert } from '../../ui/alert'
import { required } from '../../ui/form'
import { Instant } from '../../ui/instant'
import { Row, StoreList } from '../../ui/rows'
import { PageHeading, Section, StatusBadge } from '../../ui/section'
import { SettingsForm } from '../../ui/settings-form'
import { EmailForm } from '../../ui/short-forms'
import { useProject } from '../project/project-context'
import { isTemplateType, TemplateList, TemplatePage } from './template-page'
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
    </>
  )
}

type MailServerConfig = OwnedProject['config']['emailConfig']

/** The mail server of the project. A server of its own is used with all of its settings. */
function MailServer({ config }: { readonly config: MailServerConfig }): ReactNode {
  const { app } = useProject()
  const isOwn = ({ type }: Pick<MailServerConfig, 'type'>) => type === 'standard'
  const own = { className: 'grow', isShown: isOwn }
  const needed = { ...own, validate: required('This is required.') }
  return (
    <Section
      title="Mail server"
      description="The server of the platform is for testing. To edit templates or to send e-mails from your backend, use your own server."
    >
      <SettingsForm
        label="Mail server"
        submit="Save mail server"
        initial={{
          type: config.type,
          host: config.host ?? '',
          port: config.port ?? 587,
          username: config.username ?? '',
          password: config.password ?? '',
          senderName: config.senderName ?? '',
          senderEmail: config.senderEmail ?? '',
        }}
        settings={[
          {
            name: 'type',
            label: 'Server',
            kind: 'radio',
            options: [
              { value: 'shared', label: 'The server of the platform' },
              { value: 'standard', label: 'Your own' },
            ],
          },
          [
            { name: 'host', label: 'Host', ...needed },
            { name: 'port', label: 'Port', type: 'number', min: 1, max: 65_535, ...own },
          ],
          [
            { name: 'username', label: 'User name', ...needed },
            { name: 'password', label: 'Password', type: 'password', autoComplete: 'off', ...needed },
          ],
          [
            { name: 'senderName', label: 'Sender', ...needed },
            { name: 'senderEmail', label: "Sender's address", type: 'email', ...needed },
          ],
        ]}
        save={values => app.updateProject({ config: { emailConfig: isOwn(values) ? values : { type: 'shared' } } })}
      >
        {server => isOwn(server) && <TestMail server={server} />}
      </SettingsForm>
    </Section>
  )
}

type Server = Parameters<AdminApp['sendTestEmail']>[0]['emailConfig']

/** Tests a mail server before it is saved, and shows the server's error message. */
function TestMail({ server }: { readonly server: Server }): ReactNode {
  const { app } = useProject()
  const test = useAction(async (recipientEmail: string) => {
    const { host, port, username, password, senderName, senderEmail } = server
    const emailConfig = { host, port, username, password, senderName, senderEmail }
    const outcome = await app.sendTestEmail({ recipientEmail, emailConfig })
    return { outcome }
  })
  const outcome = test.status === 'done' ? test.value.outcome : undefined
  return (
    <>
      <EmailForm
        label="Address for a test mail"
        inline="Test the mail server"
        autoComplete="off"
        submit="Send a test mail"
        // The form keeps the address for another attempt if the server has refused the mail.
        action={{ ...test, run: async address => (await test.run(address)).outcome }}
      />
      {outcome && (
        <Alert kind={outcome.ok ? 'good' : 'danger'} role={outcome.ok ? 'status' : 'alert'}>
          {outcome.ok ? 'The test mail has been sent.' : outcome.error.errorMessage}
        </Alert>
      )}
    </>
  )
}
