import type { ReactNode } from 'react'
import type { AnyAuthError, Store } from 'rxauth'
import { useAction, useApp } from 'rxauth/react'
import { useMethods } from '../sign-in/methods'
import { Alert, problemOf, SwitchedOff } from '../ui/alert'
import { Button } from '../ui/button'
import { CopyField } from '../ui/copy-field'
import { ConfirmDialog, Dialog, useOpen } from '../ui/dialog'
import { Select, TextField } from '../ui/field'
import { Form, required, useForm } from '../ui/form'
import { Day } from '../ui/instant'
import { ActionsMenu, MenuItem } from '../ui/menu'
import { Row, StoreList } from '../ui/rows'
import { Section, StatusBadge } from '../ui/section'
import { tellFailure } from '../ui/toasts'
import { useWords } from '../words/use-words'

interface Props {
  /** Whether the project allows keys of this kind. */
  readonly setting: 'allowUserApiKeys' | 'allowTeamApiKeys'
  readonly description: string
  /** Undefined until known. */
  readonly mayManage: boolean | undefined
  /** The list's error code for a user without the permission. */
  readonly refusal?: AnyAuthError['code']
  readonly keys: KeyActions & { readonly store: Store<readonly ApiKey[]> }
}

/** The keys of a user or of a team. */
export function ApiKeys({ setting, description, mayManage, refusal, keys }: Props): ReactNode {
  const words = useWords().apiKeys
  const project = useMethods()
  const isOn = project.status === 'ready' ? project.value.config[setting] : undefined
  const [isCreating, { open: create, close }] = useOpen()
  return (
    <Section
      title={words.title}
      description={description}
      action={isOn && mayManage && <Button label={words.create} isSmall onClick={create} />}
    >
      {isOn === false && <SwitchedOff setting={setting}>{words.isOff}</SwitchedOff>}
      {isOn !== false && (
        <StoreList
          store={keys.store}
          label={words.title}
          isForbidden={mayManage === false}
          refusal={refusal}
          empty={words.none}
        >
          {key => <ApiKeyRow key={key.id} apiKey={key} rename={keys.rename} revoke={keys.revoke} />}
        </StoreList>
      )}
      <CreateApiKeyDialog isOpen={isCreating} onClose={close} create={keys.create} />
    </Section>
  )
}

/** A key of a user or of a team, without its value. */
export interface ApiKey {
  readonly id: string
  readonly description: string
  readonly createdAt: Date
  readonly expiresAt: Date | null
  readonly manuallyRevokedAt: Date | null
  readonly value: { readonly lastFour: string }
}

/** The actions on the keys of one owner. */
interface KeyActions {
  readonly create: (key: { description: string; expiresAt: Date | null }) => Promise<{ readonly value: string }>
  readonly rename: (id: string, description: string) => Promise<unknown>
  readonly revoke: (id: string) => Promise<unknown>
}

interface ApiKeyRowProps extends Pick<KeyActions, 'rename' | 'revoke'> {
  readonly apiKey: ApiKey
}

/** One key: its description, the end of its value, and its state. */
function ApiKeyRow({ apiKey, rename, revoke }: ApiKeyRowProps): ReactNode {
  const app = useApp()
  const words = useWords().apiKeys
  const [isRenaming, renaming] = useOpen()
  const [isAsking, asking] = useOpen()
  const { id, description, createdAt, expiresAt, value } = apiKey
  const reason = app.whyApiKeyInvalid(apiKey)
  return (
    <Row
      title={description}
      badges={
        <>
          <code aria-label={words.endsWith(value.lastFour)}>…{value.lastFour}</code>
          {reason !== null && (
            <StatusBadge kind={reason === 'expired' ? 'warning' : 'plain'}>{words.states[reason]}</StatusBadge>
          )}
        </>
      }
      detail={
        <>
          {words.createdOn(<Day at={createdAt} />)}
          {expiresAt && (
            <>
              {' · '}
              {(reason === 'expired' ? words.expiredOn : words.expiresOn)(<Day at={expiresAt} />)}
            </>
          )}
        </>
      }
      action={
        <ActionsMenu of={description}>
          <MenuItem label={words.rename} onClick={renaming.open} />
          {reason === null && <MenuItem label={words.revoke} isDangerous onClick={asking.open} />}
        </ActionsMenu>
      }
    >
      <RenameApiKeyDialog
        isOpen={isRenaming}
        onClose={renaming.close}
        description={description}
        rename={next => rename(id, next)}
      />
      <ConfirmDialog
        isOpen={isAsking}
        onClose={asking.close}
        question={words.revokeQuestion}
        consequence={words.revokeConsequence(description, value.lastFour)}
        answer={words.revokeAnswer}
        run={() => revoke(id)}
      />
    </Row>
  )
}

interface CreateApiKeyDialogProps extends Pick<KeyActions, 'create'> {
  readonly isOpen: boolean
  readonly onClose: () => void
}

const dayMillis = 86_400_000

/** Creates a key, and shows it, which is possible only once. */
function CreateApiKeyDialog({ isOpen, onClose, create }: CreateApiKeyDialogProps): ReactNode {
  const all = useWords()
  const words = all.apiKeys
  // In days; empty: no expiry.
  const lifetimes = [
    { value: '30', label: words.days(30) },
    { value: '90', label: words.days(90) },
    { value: '365', label: words.oneYear },
    { value: '', label: words.never },
  ]
  const form = useForm({
    initial: { description: '', days: '90' },
    validate: { description: required(words.noPurpose) },
    clean: ({ description, days }) => ({ description: description.trim(), days }),
  })
  const make = useAction(async ({ description, days }: { description: string; days: string }) => {
    const expiresAt = days === '' ? null : new Date(Date.now() + Number(days) * dayMillis)
    return create({ description, expiresAt })
  })
  const close = () => {
    onClose()
    form.reset()
    // Drops the key's value.
    make.reset()
  }
  if (make.status === 'done')
    return (
      <Dialog isOpen={isOpen} onClose={close} title={words.created} isStubborn>
        <Alert kind="warning" role="alert">
          {words.copyNow}
        </Alert>
        <CopyField label={words.newKey} value={make.value.value} autoFocus />
        <div className="auth-row end">
          <Button label={words.done} onClick={close} />
        </div>
      </Dialog>
    )
  return (
    <Dialog isOpen={isOpen} onClose={close} title={words.create} isStubborn={make.status === 'running'}>
      <Form label={words.create} form={form} action={make} submit={words.submit} onCancel={close} isProblemShown>
        <TextField
          label={words.purpose}
          placeholder={words.purposeExample}
          autoComplete="off"
          maxLength={100}
          data-autofocus
          {...form.field('description')}
          error={form.errors.description ?? problemOf(make, all)}
        />
        <Select label={words.expiresAfter} options={lifetimes} {...form.field('days')} />
        <p className="dim">{words.warning}</p>
      </Form>
    </Dialog>
  )
}

interface RenameApiKeyDialogProps {
  readonly onClose: () => void
  readonly description: string
  readonly rename: (description: string) => Promise<unknown>
}

/** The new name shows in the list at once; if the platform refuses it, the old one returns with a note. */
function RenameApiKeyDialog({ isOpen, ...rest }: RenameApiKeyDialogProps & { readonly isOpen: boolean }): ReactNode {
  return (
    <Dialog isOpen={isOpen} onClose={rest.onClose} title={useWords().apiKeys.renameTitle}>
      <RenameForm {...rest} />
    </Dialog>
  )
}

function RenameForm({ onClose, description, rename }: RenameApiKeyDialogProps): ReactNode {
  const words = useWords().apiKeys
  const form = useForm({ initial: { description }, validate: { description: required(words.noPurpose) } })
  const save = useAction(async (values: { description: string }) => {
    const next = values.description.trim()
    onClose()
    if (next !== description) await rename(next).catch(tellFailure)
  })
  return (
    <Form label={words.renameTitle} form={form} action={save} submit={words.renameSubmit} onCancel={onClose}>
      <TextField
        label={words.purpose}
        autoComplete="off"
        maxLength={100}
        data-autofocus
        {...form.field('description')}
      />
    </Form>
  )
}
