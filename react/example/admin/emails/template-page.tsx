import { useEffect, useState, type ReactNode } from 'react'
import { view } from 'rxauth'
import { emailTemplates$, type ClassicEmailTemplate, type EmailTemplateType } from 'rxauth/admin'
import { useAction } from 'rxauth/react'
import { Alert, Problem } from '../../ui/alert'
import { TextLink } from '../../ui/button'
import { ConfirmButton } from '../../ui/dialog'
import { TextArea, TextField } from '../../ui/field'
import { Form, useForm } from '../../ui/form'
import { Row, StoreList } from '../../ui/rows'
import { PageHeading, Section, StatusBadge } from '../../ui/section'
import { useDebounced } from '../../ui/use-debounced'
import { WithStore } from '../../ui/with-store'
import { useProject } from '../project/project-context'
import { SettingSelect } from '../settings/setting-field'
import { filled, previewHtml, samplesFor, textsOf, withText, type Samples } from './preview-html'

/** The name of each mail, and when it is sent. */
const templateNames: Readonly<Record<EmailTemplateType, { readonly name: string; readonly when: string }>> = {
  email_verification: { name: 'Verification of an address', when: 'A user signs up or adds an address.' },
  password_reset: { name: 'New password', when: 'A user has forgotten the password.' },
  magic_link: { name: 'Link to sign in', when: 'A user signs in by e-mail.' },
  team_invitation: { name: 'Invitation to a team', when: 'A member invites a person to the team.' },
  sign_in_invitation: { name: 'Invitation to sign in', when: 'An owner invites a person.' },
}

export function isTemplateType(text: string): text is EmailTemplateType {
  return Object.hasOwn(templateNames, text)
}

const templates$ = view(emailTemplates$, all => all.filter(template => template.source === 'classic'))

/** The platform's mails and their theme. */
export function TemplateList(): ReactNode {
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

/** One mail of the platform. */
export function TemplatePage({ type }: { readonly type: EmailTemplateType }): ReactNode {
  const { app, base } = useProject()
  /** Restarts the editor with the platform's template. */
  const [version, setVersion] = useState(0)
  const { name, when } = templateNames[type]
  return (
    <>
      <TextLink to={`${base}/emails`}>All e-mails</TextLink>
      <div>
        <PageHeading title={name} />
        <p className="dim">Sent when: {when}</p>
      </div>
      <WithStore store={app.emailTemplate$({ type })} label="Template">
        {template => (
          <TemplateEditor
            key={`${version} ${template.isDefault}`}
            template={template}
            onReset={() => setVersion(version + 1)}
          />
        )}
      </WithStore>
    </>
  )
}

interface Values {
  readonly subject: string
  readonly content: unknown
}

/** Edits subject and texts of a mail, with a preview beside them. */
function TemplateEditor({
  template,
  onReset,
}: {
  readonly template: ClassicEmailTemplate
  readonly onReset: () => void
}): ReactNode {
  const { app, base, project } = useProject()
  const { type } = template
  const form = useForm<Values>({ initial: { subject: template.subject, content: template.content } })
  const { subject, content } = form.values
  const save = useAction((values: Values) => app.updateEmailTemplate({ type, ...values }))
  const samples = samplesFor(type, project.displayName)
  const hasServer = project.config.emailConfig.type === 'standard'
  const variables = Object.keys(samples).map(name => `{{ ${name} }}`)
  return (
    <div className="halves">
      <Section
        title="Text"
        description={`Variables: ${variables.join(', ')}`}
        action={
          !template.isDefault && (
            <ConfirmButton
              isSmall
              label="Reset"
              question="Reset this template?"
              consequence="Your changes to this template will be deleted. This cannot be undone."
              answer="Reset template"
              run={async () => {
                await app.resetEmailTemplate({ type })
                onReset()
              }}
            />
          )
        }
      >
        {!hasServer && (
          <Alert kind="warning" role="status">
            To edit this template, first set up your own mail server under{' '}
            <TextLink to={`${base}/emails`}>E-mails</TextLink>.
          </Alert>
        )}
        <fieldset disabled={!hasServer} className="auth-field">
          <Form label="Template" form={form} action={save} submit="Save template" isSaved={save.status === 'done'}>
            <TextField label="Subject" autoComplete="off" {...form.field('subject')} />
            {textsOf(content).map(({ blockId, label, text }) => (
              <TextArea
                key={blockId}
                label={label}
                value={text}
                onChange={event => form.set({ content: withText(content, blockId, event.currentTarget.value) })}
              />
            ))}
          </Form>
        </fieldset>
      </Section>
      <TemplatePreview subject={subject} content={content} samples={samples} />
    </div>
  )
}

interface TemplatePreviewProps extends Values {
  readonly samples: Samples
}

/** The mail as rendered by the platform. The frame allows no scripts and no other pages. */
function TemplatePreview({ subject, content, samples }: TemplatePreviewProps): ReactNode {
  const { app, project } = useProject()
  const [shown, setShown] = useState<string>()
  const html = useDebounced(previewHtml(content, samples), 200)
  const theme = project.config.emailTheme === 'default-dark' ? 'default-dark' : 'default-light'
  const { run, ...rendering } = useAction(async (theme: 'default-dark' | 'default-light', previewHtml: string) => {
    const result = await app.renderEmail({ theme, previewHtml })
    if (result.ok) setShown(result.value.html)
    return result
  })
  useEffect(() => {
    void run(theme, html)
  }, [run, theme, html])
  return (
    <Section title="Preview">
      <p className="strong">{filled(subject, samples)}</p>
      <Problem of={rendering} />
      {shown === undefined ? (
        <div className="auth-skeleton" style={{ height: 320 }} />
      ) : (
        // Its links do nothing: the sandbox forbids new tabs.
        <iframe
          title="Preview of the e-mail"
          sandbox=""
          srcDoc={`<!doctype html><base target="_blank">${shown}`}
          className="mail-preview"
        />
      )}
    </Section>
  )
}
