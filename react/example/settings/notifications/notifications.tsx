import type { ReactNode } from 'react'
import { useApp } from 'rxauth/react'
import { ActionSwitch } from '../../ui/field'
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
        {({ notificationCategoryId: id, notificationCategoryName, enabled, canDisable }) => {
          // A project's own categories have no words here.
          const { name, hint } = Object.hasOwn(words.categories, notificationCategoryName)
            ? words.categories[notificationCategoryName as keyof typeof words.categories]
            : { name: notificationCategoryName, hint: undefined }
          return (
            <li key={id}>
              {canDisable ? (
                <ActionSwitch
                  className="spread"
                  label={name}
                  hint={hint}
                  isOn={enabled}
                  turn={isOn => app.updateNotificationPreference({ notificationCategoryId: id, enabled: isOn })}
                />
              ) : (
                <div className="auth-row between oneline">
                  <div>
                    <p>{name}</p>
                    <p className="fine dim">{hint}</p>
                  </div>
                  <StatusBadge>{words.alwaysOn}</StatusBadge>
                </div>
              )}
            </li>
          )
        }}
      </StoreList>
    </Section>
  )
}
