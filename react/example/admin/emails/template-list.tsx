import type { ReactNode } from 'react'
import { view } from 'rxauth'
import { emailTemplates$ } from 'rxauth/admin'
import { TextLink } from '../../ui/link'
import { Row } from '../../ui/rows'
import { Section } from '../../ui/section'
import { StatusBadge } from '../../ui/status-badge'
import { StoreList } from '../../ui/store-list'
import { useProject } from '../project/project-context'
import { SettingSelect } from '../settings/setting-field'
import { templateNames } from './template-names'

const templates$ = view(emailTemplates$, all => all.filter(template => template.source === 'classic'))

/** The platform's mails and their theme. */
export function TemplateList(): ReactNode {
  const { app, base } = useProject()
  return (
    <Section title="Templates" description="The mails that the platform sends by itself. You can edit each of them.">
      <StoreList store={templates$(app)} label="Templates" empty="There are no templates.">
        {({ type, subject, isDefault }) => (
          <Row
            key={type}
            title={<TextLink to={`${base}/emails/${type}`}>{templateNames[type].name}</TextLink>}
            detail={subject}
            action={!isDefault && <StatusBadge>Edited</StatusBadge>}
          />
        )}
      </StoreList>
      <SettingSelect
        setting="emailTheme"
        label="Theme"
        options={[
          { value: 'default-light', label: 'Light' },
          { value: 'default-dark', label: 'Dark' },
        ]}
      />
    </Section>
  )
}
