import { Box, Group, NativeSelect, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { EmailTemplate } from 'rxauth/admin'
import { useAction, useStore } from 'rxauth/react'
import { TextLink } from '../../ui/link'
import { Problem } from '../../ui/problem'
import { Row, Rows } from '../../ui/rows'
import { Section } from '../../ui/section'
import { StatusBadge } from '../../ui/status-badge'
import { StoreList } from '../../ui/store-list'
import { useProject } from '../project/project-context'
import { templateNames } from './template-names'

/** The platform's mails and their theme. */
export function TemplateList(): ReactNode {
  const { app, base } = useProject()
  return (
    <Section title="Templates" description="The mails that the platform sends by itself. You can edit each of them.">
      <StoreList store={app.emailTemplates$} label="Templates" empty="There are no templates.">
        {templates => (
          <Rows label="Templates">
            {templates.filter(isClassic).map(({ type, subject, isDefault }) => (
              <Row key={type}>
                <Group justify="space-between" gap="sm">
                  <Box miw={0} flex="1 1 14rem">
                    <TextLink to={`${base}/emails/${type}`} size="sm" fw={500}>
                      {templateNames[type].name}
                    </TextLink>
                    <Text size="xs" c="dimmed" className="breakable">
                      {subject}
                    </Text>
                  </Box>
                  {!isDefault && <StatusBadge>Your own</StatusBadge>}
                </Group>
              </Row>
            ))}
          </Rows>
        )}
      </StoreList>
      <Theme />
    </Section>
  )
}

const isClassic = (template: EmailTemplate) => template.source === 'classic'

/** The themes of the platform. */
const themes = [
  { value: 'default-light', label: 'Light' },
  { value: 'default-dark', label: 'Dark' },
]

function Theme(): ReactNode {
  const { app } = useProject()
  const project = useStore(app.adminProject$)
  const change = useAction((emailTheme: string) => app.updateProject({ config: { emailTheme } }))
  if (project.status !== 'ready') return null
  return (
    <>
      <NativeSelect
        label="Look"
        size="md"
        maw={400}
        value={project.value.config.emailTheme}
        data={themes}
        onChange={event => void change.run(event.currentTarget.value).catch(() => undefined)}
      />
      <Problem of={change} />
    </>
  )
}
