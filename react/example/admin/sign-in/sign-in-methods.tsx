import type { ReactNode } from 'react'
import { PageHeading } from '../../ui/page-heading'
import { Section } from '../../ui/section'
import { SettingSelect, SettingSwitch } from '../settings/setting-field'
import { Providers } from './providers'

/** The sign-in methods of the project; the product's sign-in page uses them too. */
export function SignInMethods(): ReactNode {
  return (
    <>
      <PageHeading title="Sign-in methods" />
      <Section title="Methods">
        <SettingSwitch setting="credentialEnabled" label="E-mail address and password" />
        <SettingSwitch
          setting="magicLinkEnabled"
          label="Links and codes by e-mail"
          hint="Users sign in with an e-mail instead of a password."
        />
        <SettingSwitch setting="passkeyEnabled" label="Passkeys" />
      </Section>
      <Section title="New accounts">
        <SettingSwitch
          setting="signUpEnabled"
          label="Allow new users to sign up"
          hint="When this is off, only existing users, and users that you create here, can sign in."
        />
      </Section>
      <Providers />
      <Section title="Accounts with the same address">
        <SettingSelect
          setting="oauthAccountMergeStrategy"
          label="When a user with this address exists already"
          options={[
            { value: 'link_method', label: 'Sign in to the existing account' },
            { value: 'raise_error', label: 'Refuse, and ask for the usual sign-in method' },
            { value: 'allow_duplicates', label: 'Create another account' },
          ]}
        />
      </Section>
    </>
  )
}
