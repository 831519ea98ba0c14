import { useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import type { AdminApp, ClassicEmailTemplate, EmailTemplateType } from 'rxauth/admin'
import { useAction } from 'rxauth/react'
import { Alert, Problem } from '../../ui/alert'
import { TextLink } from '../../ui/button'
import { ConfirmButton } from '../../ui/dialog'
import { TextArea, TextField } from '../../ui/field'
import { Form, useForm } from '../../ui/form'
import { PageHeading, Section } from '../../ui/section'
import { useDebounced } from '../../ui/use-debounced'
import { WithStore } from '../../ui/with-store'
import { useProject } from '../project/project-context'
import { textsOf, withText } from './blocks'
import { templateNames } from './emails'
import { filled, previewHtml, samplesFor } from './preview-html'
import type { Samples } from './preview-html'

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

interface Props {
  readonly template: ClassicEmailTemplate
  readonly onReset: () => void
}

interface Values {
  readonly subject: string
  readonly content: unknown
}

/** Edits subject and texts of a mail, with a preview beside them. */
function TemplateEditor({ template, onReset }: Props): ReactNode {
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
              question="Reset this template?"
              consequence="Your changes to this template will be deleted. This cannot be undone."
              answer="Reset template"
              run={async () => {
                await app.resetEmailTemplate({ type })
                onReset()
              }}
            >
              Reset
            </ConfirmButton>
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
      <TemplatePreview subject={subject} content={content} samples={samples} theme={project.config.emailTheme} />
    </div>
  )
}

type PreviewTheme = Parameters<AdminApp['renderEmail']>[0]['theme']

interface TemplatePreviewProps {
  readonly subject: string
  readonly content: unknown
  readonly samples: Samples
  readonly theme: string
}

/** The mail as rendered by the platform. The frame allows no scripts and no other pages. */
function TemplatePreview({ subject, content, samples, theme }: TemplatePreviewProps): ReactNode {
  const { app } = useProject()
  const [shown, setShown] = useState<string>()
  const html = useDebounced(previewHtml(content, samples), 200)
  const { run, ...rendering } = useAction(async (look: PreviewTheme, inner: string) => {
    const result = await app.renderEmail({ theme: look, previewHtml: inner })
    if (result.ok) setShown(result.value.html)
    return result
  })
  const look: PreviewTheme = theme === 'default-dark' ? 'default-dark' : 'default-light'
  useEffect(() => {
    void run(look, html).catch(() => undefined)
  }, [run, look, html])
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
