import type { ReactNode } from 'react'
import { projectConfig$, projectConfigSource$ } from 'rxauth/admin'
import type { ConfigSource } from 'rxauth/admin'
import { useStore } from 'rxauth/react'
import { PageHeading } from '../../ui/page-heading'
import { Section } from '../../ui/section'
import { WithStore } from '../../ui/with-store'
import { useProject } from '../project/project-context'
import { SignUpRules } from './sign-up-rules'
import { SignUpTestForm } from './sign-up-test-form'

/** The rules of sign-ups, a question to them, and the whole configuration of a project of 2026. */
export function Configuration(): ReactNode {
  const { app } = useProject()
  const source = useStore(projectConfigSource$(app))
  return (
    <>
      <PageHeading title="Configuration" />
      <SignUpRules />
      <SignUpTestForm />
      <Section title="Rendered configuration" description="The configuration in effect. Secrets are hidden.">
        {source.status === 'ready' && <p>{wordsOf(source.value)}</p>}
        <WithStore store={projectConfig$(app)} label="Configuration">
          {config => (
            <pre className="scroll" tabIndex={0} aria-label="Configuration as JSON">
              {JSON.stringify(config, hideSecrets, 2)}
            </pre>
          )}
        </WithStore>
      </Section>
    </>
  )
}

function wordsOf(source: ConfigSource): string {
  switch (source.type) {
    case 'pushed-from-github':
      return `Pushed from ${source.configFilePath} of ${source.owner}/${source.repo}, commit ${source.commitHash}.`
    case 'pushed-from-unknown':
      return 'Pushed from a file.'
    case 'unlinked':
      return 'Not linked to a file.'
  }
}

const secretName = /secret|password|token|key|credential|connection.?string/i

/** Hides each text at a name of a secret, and below it. */
function hideSecrets(name: string, value: unknown): unknown {
  return secretName.test(name) ? withoutTexts(value) : value
}

function withoutTexts(value: unknown): unknown {
  if (typeof value === 'string') return value && '••••••'
  if (Array.isArray(value)) return value.map(withoutTexts)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, withoutTexts(part)]))
}
