import { Alert, List, Switch, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { OwnedProject } from 'rxauth'
import { useAction } from 'rxauth/react'
import { Problem } from '../../ui/problem'
import { Section } from '../../ui/section'
import { WithStore } from '../../ui/with-store'
import { useProject } from '../project/project-context'

/** Production mode, and the settings that prevent it. */
export function ProductionMode({ project }: { readonly project: OwnedProject }): ReactNode {
  const { app } = useProject()
  const change = useAction((isProductionMode: boolean) => app.updateProject({ isProductionMode }))
  return (
    <Section title="Production mode" description="For a project in use. Its domains have to use https first.">
      <WithStore store={app.productionModeErrors$} label="Check for production">
        {errors => (
          <>
            {errors.length === 0 ? (
              <Alert color="teal" role="status">
                Nothing stands in the way of production mode.
              </Alert>
            ) : (
              <Alert color="yellow" role="status">
                <Text size="sm" fw={600} mb={4}>
                  Before production mode
                </Text>
                <List size="sm">
                  {errors.map(({ message }) => (
                    <List.Item key={message} className="breakable">
                      {message}
                    </List.Item>
                  ))}
                </List>
              </Alert>
            )}
            <Switch
              label="Production mode"
              checked={project.isProductionMode}
              disabled={errors.length > 0 && !project.isProductionMode}
              onChange={event => void change.run(event.currentTarget.checked).catch(() => undefined)}
            />
            {errors.length > 0 && project.isProductionMode && (
              <Text size="sm" c="dimmed">
                The project is in production mode, but does not fulfil its conditions.
              </Text>
            )}
          </>
        )}
      </WithStore>
      <Problem of={change} />
    </Section>
  )
}
