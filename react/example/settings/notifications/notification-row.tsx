import type { ReactNode } from 'react'
import type { NotificationPreference } from 'rxauth'
import { useAction, useApp } from 'rxauth/react'
import { Choice } from '../../ui/choice'
import { Problem } from '../../ui/problem'
import { StatusBadge } from '../../ui/status-badge'

/** Texts for the platform's own categories; a project's categories have their own. */
const descriptions: Readonly<Record<string, string>> = {
  Transactional: 'Sign-in links, security alerts and invitations.',
  Marketing: 'News and offers.',
}

/** Switches at once, and back if the platform refuses. */
export function NotificationRow({ preference }: { readonly preference: NotificationPreference }): ReactNode {
  const { notificationCategoryId, notificationCategoryName: name, enabled, canDisable } = preference
  const app = useApp()
  const change = useAction((isWanted: boolean) =>
    app.updateNotificationPreference({ notificationCategoryId, enabled: isWanted }),
  )
  return (
    <li>
      {canDisable ? (
        <Choice
          kind="switch"
          className="spread"
          label={name}
          hint={descriptions[name]}
          checked={enabled}
          onChange={event => void change.run(event.currentTarget.checked).catch(() => undefined)}
        />
      ) : (
        <div className="row between oneline">
          <div>
            <p>{name}</p>
            <p className="fine dim">{descriptions[name]}</p>
          </div>
          <StatusBadge>Always on</StatusBadge>
        </div>
      )}
      <Problem of={change} />
    </li>
  )
}
