import { NativeSelect, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import type { OwnedProject } from 'rxauth'
import { useAction } from 'rxauth/react'
import { PageHeading } from '../../ui/page-heading'
import { Problem } from '../../ui/problem'
import { Section } from '../../ui/section'
import { WithStore } from '../../ui/with-store'
import { useProject } from '../project/project-context'
import { SettingSwitch } from '../settings/setting-switch'
import { Providers } from './providers'

/** The sign-in methods of the project; the product's sign-in page uses them too. */
export function SignInMethods(): ReactNode {
  const { app } = useProject()
  return (
    <>
      <PageHeading title="Sign-in methods" />
      <Section title="Methods">
        <Stack gap="md">
          <SettingSwitch setting="credentialEnabled" label="E-mail address and password" />
          <SettingSwitch
            setting="magicLinkEnabled"
            label="Links and codes by e-mail"
            description="No password to remember: the e-mail signs the user in."
          />
          <SettingSwitch setting="passkeyEnabled" label="Passkeys" />
        </Stack>
      </Section>
      <Section title="New accounts">
        <SettingSwitch
          setting="signUpEnabled"
          label="New users may sign up"
          description="If this is off, only existing users, and users created here, can sign in."
        />
      </Section>
      <WithStore store={app.adminProject$} label="Providers" gap="lg">
        {({ config }) => (
          <>
            <Providers providers={config.oauthProviders} />
            <SameAddress strategy={config.oauthAccountMergeStrategy} />
          </>
        )}
      </WithStore>
    </>
  )
}

type Strategy = OwnedProject['config']['oauthAccountMergeStrategy']

const strategies: readonly { readonly value: Strategy; readonly label: string }[] = [
  { value: 'link_method', label: 'Sign in to the account that is there' },
  { value: 'raise_error', label: 'Refuse, and ask to sign in as before' },
  { value: 'allow_duplicates', label: 'Make another account' },
]

/** The setting for a provider account whose address another user has. */
function SameAddress({ strategy }: { readonly strategy: Strategy }): ReactNode {
  const { app } = useProject()
  const change = useAction((oauthAccountMergeStrategy: Strategy) =>
    app.updateProject({ config: { oauthAccountMergeStrategy } }),
  )
  return (
    <Section title="Accounts with the same address">
      <NativeSelect
        label="When a provider brings an address that has an account"
        size="md"
        maw={400}
        value={strategy}
        data={[...strategies]}
        onChange={event => {
          const chosen = strategies.find(({ value }) => value === event.currentTarget.value)
          if (chosen) void change.run(chosen.value).catch(() => undefined)
        }}
      />
      <Problem of={change} />
    </Section>
  )
}
