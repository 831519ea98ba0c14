import type { ReactNode } from 'react'
import type { OwnedProject } from 'rxauth'
import { Alert } from '../../ui/alert'
import { ConfirmButton } from '../../ui/dialog'
import { ActionSwitch } from '../../ui/field'
import { ListOf, Row } from '../../ui/rows'
import { PageHeading, Section } from '../../ui/section'
import { SettingsForm } from '../../ui/settings-form'
import { WithStore } from '../../ui/with-store'
import { useProject } from '../project/project-context'
import { SettingSwitch } from '../settings/setting-field'

type Domain = OwnedProject['config']['domains'][number]

/** The domains that e-mail links and providers may redirect to, and whether they are ready for production. */
export function Domains(): ReactNode {
  const { app, project } = useProject()
  const { domains } = project.config
  const save = (changed: Domain[]) => app.updateProject({ config: { domains: changed } })
  const problemOf = (domain: string) => {
    if (!/^https?:\/\/[^/\s]+$/.test(domain)) return 'Enter a domain with its scheme, like https://example.com.'
    return domains.some(each => each.domain === domain) ? 'This domain is trusted already.' : null
  }
  return (
    <>
      <PageHeading title="Domains" />
      <Section
        title="Trusted domains"
        description="Links in e-mails and sign-ins with a provider may redirect to these domains only."
      >
        <ListOf label="Trusted domains" items={domains} empty="There are no trusted domains yet.">
          {({ domain, handlerPath }) => (
            <Row
              key={domain}
              title={domain}
              detail={
                <>
                  Handler pages below <code>{handlerPath}</code>
                </>
              }
              action={
                <ConfirmButton
                  label="Remove"
                  aria-label={`Remove ${domain}`}
                  question="Remove this domain?"
                  consequence={`Links in e-mails and sign-ins with a provider no longer lead to ${domain}.`}
                  answer="Remove domain"
                  run={() => save(domains.filter(each => each.domain !== domain))}
                />
              }
            />
          )}
        </ListOf>
        <SettingsForm
          label="Add a domain"
          submit="Add domain"
          initial={{ domain: '', handlerPath: '/handler' }}
          settings={[
            [
              {
                name: 'domain',
                label: 'Domain',
                className: 'grow',
                placeholder: 'https://example.com',
                validate: text => problemOf(text.trim()),
              },
              {
                name: 'handlerPath',
                label: 'Handler path',
                className: 'grow',
                validate: text => (text.trim().startsWith('/') ? null : 'Begin with a slash, like /handler.'),
              },
            ],
          ]}
          // The list shows the new domain before the answer.
          save={domain => save([...domains, domain])}
        />
      </Section>
      <Section title="Development">
        <SettingSwitch setting="allowLocalhost" label="Trust localhost, on any port" hint="For development." />
      </Section>
      <ProductionMode />
    </>
  )
}

/** Production mode, and the settings that prevent it. */
function ProductionMode(): ReactNode {
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
