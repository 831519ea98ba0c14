import { Code, Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { ConfirmButton } from '../../ui/confirm-button'
import { PageHeading } from '../../ui/page-heading'
import { Row, Rows } from '../../ui/rows'
import { Section } from '../../ui/section'
import { WithStore } from '../../ui/with-store'
import { useProject } from '../project/project-context'
import { SettingSwitch } from '../settings/setting-switch'
import { AddDomainForm } from './add-domain-form'
import type { Domain } from './add-domain-form'
import { ProductionMode } from './production-mode'

/** The domains that e-mail links and providers may redirect to, and whether they are ready for production. */
export function Domains(): ReactNode {
  const { app } = useProject()
  return (
    <>
      <PageHeading title="Domains" />
      <WithStore store={app.adminProject$} label="Domains" gap="lg">
        {project => (
          <>
            <Section
              title="Trusted domains"
              description="Links in e-mails and sign-ins with a provider may redirect to these domains only."
            >
              {project.config.domains.length === 0 ? (
                <Text size="sm" c="dimmed">
                  No domain is trusted yet.
                </Text>
              ) : (
                <Rows label="Trusted domains">
                  {project.config.domains.map(domain => (
                    <DomainRow key={domain.domain} domain={domain} domains={project.config.domains} />
                  ))}
                </Rows>
              )}
              <AddDomainForm domains={project.config.domains} />
            </Section>
            <Section title="Development">
              <SettingSwitch
                setting="allowLocalhost"
                label="Trust localhost, on any port"
                description="For development."
              />
            </Section>
            <ProductionMode project={project} />
          </>
        )}
      </WithStore>
    </>
  )
}

interface RowProps {
  readonly domain: Domain
  readonly domains: readonly Domain[]
}

function DomainRow({ domain: { domain, handlerPath }, domains }: RowProps): ReactNode {
  const { app } = useProject()
  return (
    <Row>
      <Group justify="space-between" gap="sm">
        <div>
          <Text size="sm" fw={500} className="breakable">
            {domain}
          </Text>
          <Text size="xs" c="dimmed">
            Handler pages below <Code>{handlerPath}</Code>
          </Text>
        </div>
        <ConfirmButton
          size="xs"
          aria-label={`Remove ${domain}`}
          question="Remove this domain?"
          consequence={
            <span className="breakable">{`Links in e-mails and sign-ins with a provider no longer lead to ${domain}.`}</span>
          }
          answer="Remove domain"
          run={() => app.updateProject({ config: { domains: domains.filter(each => each.domain !== domain) } })}
        >
          Remove
        </ConfirmButton>
      </Group>
    </Row>
  )
}
