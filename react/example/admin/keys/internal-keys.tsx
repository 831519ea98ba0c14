import { useState, type ReactNode } from 'react'
import type { AdminApp } from 'rxauth/admin'
import { Alert } from '../../ui/alert'
import { Button } from '../../ui/button'
import { CopyField } from '../../ui/copy-field'
import { ConfirmButton, DialogButton } from '../../ui/dialog'
import { required } from '../../ui/form'
import { Day } from '../../ui/instant'
import { Row, StoreList } from '../../ui/rows'
import { PageHeading, Section, StatusBadge } from '../../ui/section'
import { SettingsForm } from '../../ui/settings-form'
import { useProject } from '../project/project-context'

/** The keys that pages, servers and scripts use for the project. */
export function InternalKeys(): ReactNode {
  const { app } = useProject()
  return (
    <>
      <div className="auth-row between">
        <PageHeading title="Project keys" />
        <DialogButton label="Create keys" isStubborn>
          {close => <CreateKeyForm onClose={close} />}
        </DialogButton>
      </div>
      <Section title="Key sets" description="A set has up to three keys, which expire and are revoked together.">
        <StoreList store={app.internalApiKeys$} label="Key sets" empty="The project has no keys yet.">
          {set => {
            const { id, description, createdAt, expiresAt, manuallyRevokedAt } = set
            const isExpired = expiresAt <= new Date()
            const isOver = manuallyRevokedAt !== null || isExpired
            return (
              <Row
                key={id}
                title={description}
                badges={isOver && <StatusBadge>{manuallyRevokedAt ? 'Revoked' : 'Expired'}</StatusBadge>}
                detail={
                  <>
                    {keyNames.map(({ key, label }) => {
                      const value = set[key]
                      return (
                        value && (
                          <p key={key}>
                            {label}: <code>…{value.lastFour}</code>
                          </p>
                        )
                      )
                    })}
                    Created on <Day at={createdAt} /> · {isExpired ? 'expired' : 'expires'} on <Day at={expiresAt} />
                  </>
                }
                action={
                  !isOver && (
                    <ConfirmButton
                      label="Revoke"
                      aria-label={`Revoke ${description}`}
                      question="Revoke these keys?"
                      consequence={`Requests with the keys “${description}” will be refused from now on. This cannot be undone.`}
                      answer="Revoke keys"
                      run={() => app.revokeInternalApiKey({ apiKeyId: id })}
                    />
                  )
                }
              />
            )
          }}
        </StoreList>
      </Section>
    </>
  )
}

/** The three kinds of keys, weakest first. */
const keyNames = [
  {
    key: 'publishableClientKey',
    has: 'hasPublishableClientKey',
    label: 'Publishable client key',
    who: 'For web pages and apps.',
  },
  {
    key: 'secretServerKey',
    has: 'hasSecretServerKey',
    label: 'Secret server key',
    who: 'For your backend. Keep it secret.',
  },
  {
    key: 'superSecretAdminKey',
    has: 'hasSuperSecretAdminKey',
    label: 'Super secret admin key',
    who: 'For scripts that change the settings of the project. Keep it secret.',
  },
] as const

const dayMillis = 86_400_000

const lifetimes = [
  { value: '30', label: '30 days' },
  { value: '365', label: 'One year' },
  { value: '36500', label: 'A hundred years' },
]

/** Creates a set of keys, and shows them, which is possible only once. */
function CreateKeyForm({ onClose }: { readonly onClose: () => void }): ReactNode {
  const { app } = useProject()
  const [made, setMade] = useState<Awaited<ReturnType<AdminApp['createInternalApiKey']>>>()
  if (made)
    return (
      <>
        <Alert kind="warning" role="alert">
          Copy the keys now and keep them in a safe place. They will not be shown again.
        </Alert>
        {keyNames
          .filter(({ key }) => made[key] !== null)
          .map(({ key, label }, index) => (
            <div key={key}>
              <p className="strong">{label}</p>
              <CopyField label={label} value={made[key] ?? ''} autoFocus={index === 0} />
            </div>
          ))}
        <div className="auth-row end">
          <Button label="Done" onClick={onClose} />
        </div>
      </>
    )
  return (
    <SettingsForm
      label="Create keys"
      submit="Create keys"
      initial={{ description: '', kinds: ['hasPublishableClientKey', 'hasSecretServerKey'], days: '365' }}
      settings={[
        {
          name: 'description',
          label: 'What they are for',
          placeholder: 'Web shop',
          maxLength: 100,
          validate: required('Say what the keys are for.'),
        },
        {
          name: 'kinds',
          label: 'Keys',
          kind: 'checkbox',
          options: keyNames.map(({ has, label, who }) => ({ value: has, label, hint: who })),
          validate: required('Choose at least one kind of key.'),
        },
        { name: 'days', label: 'Expire after', options: lifetimes },
      ]}
      save={async ({ description, kinds, days }) => {
        const expiresAt = new Date(Date.now() + Number(days) * dayMillis)
        const chosen = Object.fromEntries(kinds.map(kind => [kind, true]))
        setMade(await app.createInternalApiKey({ description, expiresAt, ...chosen }))
      }}
      onCancel={onClose}
    />
  )
}
