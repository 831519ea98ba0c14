import type { ReactNode } from 'react'
import { useApp } from 'rxauth/react'
import { ConfirmDialog } from '../ui/confirm-dialog'
import { Day } from '../ui/day'
import { ActionsMenu, MenuItem } from '../ui/menu'
import { Row } from '../ui/rows'
import { StatusBadge } from '../ui/status-badge'
import { useOpen } from '../ui/use-open'
import type { ApiKey, KeyActions } from './key-actions'
import { RenameApiKeyDialog } from './rename-api-key-dialog'

interface Props extends Pick<KeyActions, 'rename' | 'revoke'> {
  readonly apiKey: ApiKey
}

const states = { active: 'Active', expired: 'Expired', 'manually-revoked': 'Revoked' } as const

/** One key: its description, the end of its value, and its state. */
export function ApiKeyRow({ apiKey, rename, revoke }: Props): ReactNode {
  const app = useApp()
  const [isRenaming, renaming] = useOpen()
  const [isAsking, asking] = useOpen()
  const { id, description, createdAt, expiresAt, value } = apiKey
  const reason = app.whyApiKeyInvalid(apiKey)
  return (
    <Row
      title={description}
      badges={
        <>
          <code aria-label={`Ends with ${value.lastFour}`}>…{value.lastFour}</code>
          <StatusBadge kind={reason === null ? 'good' : 'plain'}>{states[reason ?? 'active']}</StatusBadge>
        </>
      }
      detail={
        <>
          Created <Day at={createdAt} />
          {expiresAt && (
            <>
              {reason === 'expired' ? ' · expired ' : ' · expires '}
              <Day at={expiresAt} />
            </>
          )}
        </>
      }
      action={
        <ActionsMenu of={description}>
          <MenuItem onClick={renaming.open}>Rename</MenuItem>
          {reason === null && (
            <MenuItem isDangerous onClick={asking.open}>
              Revoke
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
        question="Revoke this key?"
        consequence={`Programs that use “${description}” (…${value.lastFour}) will lose access. This cannot be undone.`}
        answer="Revoke key"
        run={() => revoke(id)}
      />
    </Row>
  )
}
