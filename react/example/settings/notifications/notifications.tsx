import type { ReactNode } from 'react'
import type { NotificationPreference } from 'rxauth'
import { useAction, useApp } from 'rxauth/react'
import { Choice } from '../../ui/field'
import { Problem } from '../../ui/alert'
import { Section, StatusBadge } from '../../ui/section'
import { StoreList } from '../../ui/rows'
import { useWords } from '../../words/use-words'

/** The user's preferences for mails. */
export function Notifications(): ReactNode {
  const app = useApp()
  const words = useWords().account.notifications
  return (
    <Section title={words.section} description={words.text}>
      <StoreList store={app.notificationPreferences$} label={words.title} empty={words.none}>
        {preference => <NotificationRow key={preference.notificationCategoryId} preference={preference} />}
      </StoreList>
    </Section>
  )
}

/** Switches at once, and back if the platform refuses. */
function NotificationRow({ preference }: { readonly preference: NotificationPreference }): ReactNode {
  const { notificationCategoryId, notificationCategoryName, enabled, canDisable } = preference
  const app = useApp()
  const { alwaysOn, categories } = useWords().account.notifications
  // A project's own categories have no words here.
  const { name, hint } = Object.hasOwn(categories, notificationCategoryName)
    ? categories[notificationCategoryName as keyof typeof categories]
    : { name: notificationCategoryName, hint: undefined }
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
          hint={hint}
          checked={enabled}
          onChange={event => void change.run(event.currentTarget.checked).catch(() => undefined)}
        />
      ) : (
        <div className="auth-row between oneline">
          <div>
            <p>{name}</p>
            <p className="fine dim">{hint}</p>
          </div>
          <StatusBadge>{alwaysOn}</StatusBadge>
        </div>
      )}
      <Problem of={change} />
    </li>
  )
}
