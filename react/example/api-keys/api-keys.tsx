import type { ReactNode } from 'react'
import type { AnyAuthError, Store } from 'rxauth'
import { useMethods } from '../sign-in/methods'
import { Button } from '../ui/button'
import { Section } from '../ui/section'
import { StoreList } from '../ui/store-list'
import { SwitchedOff } from '../ui/switched-off'
import { useOpen } from '../ui/use-open'
import { ApiKeyRow } from './api-key-row'
import { CreateApiKeyDialog } from './create-api-key-dialog'
import type { ApiKey, KeyActions } from './key-actions'
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
      action={
        isOn &&
        mayManage && (
          <Button isSmall onClick={create}>
            {words.create}
          </Button>
        )
      }
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
