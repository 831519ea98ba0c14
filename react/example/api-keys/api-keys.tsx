import type { ReactNode } from 'react'
import type { AnyAuthError, Store, UserApiKey } from 'rxauth'
import { useAction, useApp } from 'rxauth/react'
import { useMethods } from '../sign-in/methods'
import { Alert, SwitchedOff } from '../ui/alert'
import { Button } from '../ui/button'
import { CopyField } from '../ui/copy-field'
import { Dialog, useOpen } from '../ui/dialog'
import { required } from '../ui/form'
import { Day } from '../ui/instant'
import { MenuRow, StoreList } from '../ui/rows'
import { Section, StatusBadge } from '../ui/section'
import { FormDialog, SettingsForm } from '../ui/settings-form'
import { tellFailure } from '../ui/toasts'
import type { Words } from '../words/en'
import { useWords } from '../words/use-words'

interface Props {
  /** Whether the project allows keys of this kind. */
  readonly setting: 'allowUserApiKeys' | 'allowTeamApiKeys'
  readonly description: string
  /** Undefined until known. */
  readonly mayManage: boolean | undefined
  /** The list's error code for a user without the permission. */
  readonly refusal?: AnyAuthError['code']
  readonly keys: ApiKeyActions
}

/** The keys of a user or of a team. */
export function ApiKeys({ setting, description, mayManage, refusal, keys }: Props): ReactNode {
  const words = useWords().apiKeys
  const project = useMethods()
  const isOn = project.status === 'ready' ? project.value.config[setting] : undefined
  return (
    <Section
      title={words.title}
      description={description}
      action={isOn && mayManage && <CreateApiKey create={keys.create} />}
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
    </Section>
  )
}

/** A key of a user or of a team, without its value. */
export type ApiKey = Omit<UserApiKey, 'type' | 'userId' | 'isPublic'>

/** The keys of one owner, and the actions on them. */
interface ApiKeyActions {
  readonly store: Store<readonly ApiKey[]>
  readonly create: (key: { description: string; expiresAt: Date | null }) => Promise<{ readonly value: string }>
  readonly rename: (id: string, description: string) => Promise<unknown>
  readonly revoke: (id: string) => Promise<unknown>
}

interface ApiKeyRowProps extends Pick<ApiKeyActions, 'rename' | 'revoke'> {
  readonly apiKey: ApiKey
}

/** One key: its description, the end of its value, and its state. */
function ApiKeyRow({ apiKey, rename, revoke }: ApiKeyRowProps): ReactNode {
  const app = useApp()
  const words = useWords().apiKeys
  const [isRenaming, renaming] = useOpen()
  const { id, description, createdAt, expiresAt, value } = apiKey
  const reason = app.whyApiKeyInvalid(apiKey)
  return (
    <MenuRow
      of={description}
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
      actions={[
        { label: words.rename, run: async () => renaming.open() },
        reason === null && {
          label: words.revoke,
          question: words.revokeQuestion,
          consequence: words.revokeConsequence(description, value.lastFour),
          answer: words.revokeAnswer,
          run: () => revoke(id),
        },
      ]}
    >
      <FormDialog
        isOpen={isRenaming}
        onClose={renaming.close}
        title={words.renameTitle}
        submit={words.renameSubmit}
        initial={{ description }}
        settings={[purpose(words)]}
        // The new name shows in the list at once; if the platform refuses it, the old one returns with a note.
        save={async ({ description: next }) => {
          if (next !== description) void rename(id, next).catch(tellFailure)
        }}
      />
    </MenuRow>
  )
}

const dayMillis = 86_400_000

/** Creates a key, and shows it, which is possible only once. */
function CreateApiKey({ create }: Pick<ApiKeyActions, 'create'>): ReactNode {
  const words = useWords().apiKeys
  const [isOpen, dialog] = useOpen()
  const make = useAction(create)
  const isMade = make.status === 'done'
  const close = () => {
    dialog.close()
    // Drops the key's value.
    make.reset()
  }
  return (
    <>
      <Button label={words.create} isSmall onClick={dialog.open} />
      <Dialog
        isOpen={isOpen}
        onClose={close}
        title={isMade ? words.created : words.create}
        isStubborn={isMade || make.status === 'running'}
      >
        {isMade ? (
          <>
            <Alert kind="warning" role="alert">
              {words.copyNow}
            </Alert>
            <CopyField label={words.newKey} value={make.value.value} autoFocus />
            <div className="auth-row end">
              <Button label={words.done} onClick={close} />
            </div>
          </>
        ) : (
          <SettingsForm
            label={words.create}
            submit={words.submit}
            initial={{ description: '', days: '90' }}
            settings={[
              { ...purpose(words), placeholder: words.purposeExample },
              {
                name: 'days',
                label: words.expiresAfter,
                options: [
                  { value: '30', label: words.days(30) },
                  { value: '90', label: words.days(90) },
                  { value: '365', label: words.oneYear },
                  { value: '', label: words.never },
                ],
              },
            ]}
            problemAt="description"
            note={<p className="dim">{words.warning}</p>}
            save={({ description, days }) => {
              const expiresAt = days === '' ? null : new Date(Date.now() + Number(days) * dayMillis)
              return make.run({ description, expiresAt })
            }}
            onCancel={close}
          />
        )}
      </Dialog>
    </>
  )
}

/** The field for what a key is for. */
const purpose = (words: Words['apiKeys']) =>
  ({
    name: 'description',
    label: words.purpose,
    maxLength: 100,
    validate: required(words.noPurpose),
  }) as const
