import type { ReactNode } from 'react'
import type { InternalApiKey } from 'rxauth/admin'
import { ConfirmButton } from '../../ui/confirm-button'
import { Day } from '../../ui/instant'
import { PageHeading } from '../../ui/page-heading'
import { Row } from '../../ui/rows'
import { Section } from '../../ui/section'
import { StatusBadge } from '../../ui/status-badge'
import { StoreList } from '../../ui/store-list'
import { DialogButton } from '../../ui/dialog-button'
import { useProject } from '../project/project-context'
import { CreateKeyForm, keyNames } from './create-key-form'

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
          {set => <KeySetRow key={set.id} set={set} />}
        </StoreList>
      </Section>
    </>
  )
}

function KeySetRow({ set }: { readonly set: InternalApiKey }): ReactNode {
  const { app } = useProject()
  const { id, description, createdAt, expiresAt, manuallyRevokedAt } = set
  // oxlint-disable-next-line react/purity -- a key that expires says so at the next render
  const isExpired = expiresAt <= new Date()
  const isOver = manuallyRevokedAt !== null || isExpired
  const state = manuallyRevokedAt ? 'Revoked' : 'Expired'
  return (
    <Row
      title={description}
      badges={isOver && <StatusBadge>{state}</StatusBadge>}
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
            isSmall
            aria-label={`Revoke ${description}`}
            question="Revoke these keys?"
            consequence={`Requests with the keys “${description}” will be refused from now on. This cannot be undone.`}
            answer="Revoke keys"
            run={() => app.revokeInternalApiKey({ apiKeyId: id })}
          >
            Revoke
          </ConfirmButton>
        )
      }
    />
  )
}
