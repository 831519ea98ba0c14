import type { ReactNode } from 'react'
import { Alert } from '../../ui/alert'
import { Section } from '../../ui/section'
import { WithStore } from '../../ui/with-store'
import { useProject } from '../project/project-context'
import { ActionSwitch } from '../settings/setting-field'

/** Production mode, and the settings that prevent it. */
export function ProductionMode(): ReactNode {
  const { app, project } = useProject()
  const { isProductionMode } = project
  return (
    <Section title="Production mode" description="For projects with real users. All domains have to use https.">
      <WithStore store={app.productionModeErrors$} label="Check for production">
        {errors => (
          <>
            {errors.length === 0 ? (
              <Alert kind="good" role="status">
                The project is ready for production mode.
              </Alert>
            ) : (
              <Alert kind="warning" role="status">
                <p className="strong">Required for production mode</p>
                <ul>
                  {errors.map(({ message }) => (
                    <li key={message}>{message}</li>
                  ))}
                </ul>
              </Alert>
            )}
            <ActionSwitch
              label="Production mode"
              isOn={isProductionMode}
              disabled={errors.length > 0 && !isProductionMode}
              turn={isOn => app.updateProject({ isProductionMode: isOn })}
            />
            {errors.length > 0 && isProductionMode && (
              <p className="dim">The project is in production mode, but does not meet the requirements.</p>
            )}
          </>
        )}
      </WithStore>
    </Section>
  )
}
