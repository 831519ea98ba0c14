import type { ReactNode } from 'react'
import { ConfirmButton } from '../../ui/confirm-button'
import { PageHeading } from '../../ui/page-heading'
import { Row } from '../../ui/rows'
import { Section } from '../../ui/section'
import { ListOf } from '../../ui/list-of'
import { useProject } from '../project/project-context'
import { SettingSwitch } from '../settings/setting-field'
import { AddDomainForm } from './add-domain-form'
import type { Domain } from './add-domain-form'
import { ProductionMode } from './production-mode'

/** The domains that e-mail links and providers may redirect to, and whether they are ready for production. */
export function Domains(): ReactNode {
  const { app, project } = useProject()
  const { domains } = project.config
  const save = (changed: Domain[]) => app.updateProject({ config: { domains: changed } })
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
                  isSmall
                  aria-label={`Remove ${domain}`}
                  question="Remove this domain?"
                  consequence={`Links in e-mails and sign-ins with a provider no longer lead to ${domain}.`}
                  answer="Remove domain"
                  run={() => save(domains.filter(each => each.domain !== domain))}
                >
                  Remove
                </ConfirmButton>
              }
            />
          )}
        </ListOf>
        <AddDomainForm domains={domains} add={domain => save([...domains, domain])} />
      </Section>
      <Section title="Development">
        <SettingSwitch setting="allowLocalhost" label="Trust localhost, on any port" hint="For development." />
      </Section>
      <ProductionMode />
    </>
  )
}
