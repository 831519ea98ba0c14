import type { ReactNode } from 'react'
import { useApp } from 'rxauth/react'
import { ConfirmDialog } from '../ui/confirm-dialog'
import { Day } from '../ui/instant'
import { ActionsMenu, MenuItem } from '../ui/menu'
import { Row } from '../ui/rows'
import { StatusBadge } from '../ui/status-badge'
import { useOpen } from '../ui/use-open'
import type { ApiKey, KeyActions } from './key-actions'
import { RenameApiKeyDialog } from './rename-api-key-dialog'
import { useWords } from '../words/use-words'

interface Props extends Pick<KeyActions, 'rename' | 'revoke'> {
  readonly apiKey: ApiKey
}

/** One key: its description, the end of its value, and its state. */
export function ApiKeyRow({ apiKey, rename, revoke }: Props): ReactNode {
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
          <MenuItem onClick={renaming.open}>{words.rename}</MenuItem>
          {reason === null && (
            <MenuItem isDangerous onClick={asking.open}>
              {words.revoke}
            </MenuItem>
          )}
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
