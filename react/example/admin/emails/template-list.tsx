import type { ReactNode } from 'react'
import { view } from 'rxauth'
import { emailTemplates$ } from 'rxauth/admin'
import type { EmailTemplateType } from 'rxauth/admin'
import { TextLink } from '../../ui/link'
import { Row } from '../../ui/rows'
import { Section } from '../../ui/section'
import { StatusBadge } from '../../ui/status-badge'
import { StoreList } from '../../ui/store-list'
import { useProject } from '../project/project-context'
import { SettingSelect } from '../settings/setting-field'

/** The name of each mail, and when it is sent. */
export const templateNames: Readonly<Record<EmailTemplateType, { readonly name: string; readonly when: string }>> = {
  email_verification: { name: 'Verification of an address', when: 'A user signs up or adds an address.' },
  password_reset: { name: 'New password', when: 'A user has forgotten the password.' },
  magic_link: { name: 'Link to sign in', when: 'A user signs in by e-mail.' },
  team_invitation: { name: 'Invitation to a team', when: 'A member invites a person to the team.' },
  sign_in_invitation: { name: 'Invitation to sign in', when: 'An owner invites a person.' },
}

export function isTemplateType(text: string): text is EmailTemplateType {
  return Object.hasOwn(templateNames, text)
}

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
