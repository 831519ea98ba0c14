import { Alert, Button, Grid, Group, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { ReactNode, SubmitEvent } from 'react'
import type { ClassicEmailTemplate } from 'rxauth/admin'
import { useAction, useStore } from 'rxauth/react'
import { ConfirmButton } from '../../ui/confirm-button'
import { TextLink } from '../../ui/link'
import { Problem } from '../../ui/problem'
import { Section } from '../../ui/section'
import { useProject } from '../project/project-context'
import { textsOf, withText } from './blocks'
import { samplesFor } from './samples'
import { TemplatePreview } from './template-preview'

interface Props {
  readonly template: ClassicEmailTemplate
  readonly onReset: () => void
}

/** Edits subject and texts of a mail, with a preview beside them. */
export function TemplateEditor({ template, onReset }: Props): ReactNode {
  const { app, base } = useProject()
  const project = useStore(app.adminProject$)
  const [subject, setSubject] = useState(template.subject)
  const [content, setContent] = useState(template.content)
  const { type } = template
  const save = useAction(() => app.updateEmailTemplate({ type, subject, content }))
  const samples = samplesFor(type, project.status === 'ready' ? project.value.displayName : 'Your project')
  const hasServer = project.status !== 'ready' || project.value.config.emailConfig.type === 'standard'

  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (save.status !== 'running') void save.run().catch(() => undefined)
  }
  return (
    <Grid gap="lg">
      <Grid.Col span={{ base: 12, lg: 6 }}>
        <Section
          title="Words"
          description={
            <>
              In the place of{' '}
              {Object.keys(samples)
                .map(name => `{{ ${name} }}`)
                .join(', ')}{' '}
              stands what the mail is about.
            </>
          }
        >
          <form noValidate aria-label="Template" onSubmit={submit}>
            <Stack gap="md">
              {!hasServer && (
                <Alert color="yellow" role="status">
                  To edit this template, first set up your own mail server under{' '}
                  <TextLink to={`${base}/emails`} c="inherit">
                    E-mails
                  </TextLink>
                  .
                </Alert>
              )}
              <TextInput
                label="Subject"
                autoComplete="off"
                value={subject}
                onChange={event => setSubject(event.currentTarget.value)}
              />
              {textsOf(content).map(({ blockId, label, text }) => (
                <Textarea
                  key={blockId}
                  label={label}
                  size="md"
                  autosize
                  maxRows={10}
                  value={text}
                  onChange={event => setContent(withText(content, blockId, event.currentTarget.value))}
                />
              ))}
              <Problem of={save} />
              <Group gap="sm">
                <Button type="submit" loading={save.status === 'running'} disabled={!hasServer}>
                  Save template
                </Button>
                {!template.isDefault && (
                  <ConfirmButton
                    question="Reset this template?"
                    consequence="Your changes of this template will be deleted, and the platform's own mail is sent again."
                    answer="Reset template"
                    run={async () => {
                      await app.resetEmailTemplate({ type })
                      onReset()
                    }}
                  >
                    Reset
                  </ConfirmButton>
                )}
                <Text role="status" size="sm" c="dimmed">
                  {save.status === 'done' ? 'Saved.' : ''}
                </Text>
              </Group>
            </Stack>
          </form>
        </Section>
      </Grid.Col>
      <Grid.Col span={{ base: 12, lg: 6 }}>
        <TemplatePreview
          subject={subject}
          content={content}
          samples={samples}
          theme={project.status === 'ready' ? project.value.config.emailTheme : 'default-light'}
        />
      </Grid.Col>
    </Grid>
  )
}
