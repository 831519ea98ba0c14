import type { ReactNode } from 'react'
import type { ClassicEmailTemplate } from 'rxauth/admin'
import { useAction } from 'rxauth/react'
import { Alert } from '../../ui/alert'
import { ConfirmButton } from '../../ui/confirm-button'
import { TextArea, TextField } from '../../ui/field'
import { Form } from '../../ui/form'
import { TextLink } from '../../ui/link'
import { Section } from '../../ui/section'
import { useForm } from '../../ui/use-form'
import { useProject } from '../project/project-context'
import { textsOf, withText } from './blocks'
import { samplesFor } from './samples'
import { TemplatePreview } from './template-preview'

interface Props {
  readonly template: ClassicEmailTemplate
  readonly onReset: () => void
}

interface Values {
  readonly subject: string
  readonly content: unknown
}

/** Edits subject and texts of a mail, with a preview beside them. */
export function TemplateEditor({ template, onReset }: Props): ReactNode {
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
