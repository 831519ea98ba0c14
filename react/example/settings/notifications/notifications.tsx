import type { ReactNode } from 'react'
import { useApp } from 'rxauth/react'
import { Rows } from '../../ui/rows'
import { Section } from '../../ui/section'
import { StoreList } from '../../ui/store-list'
import { NotificationRow } from './notification-row'

/** The user's preferences for mails. */
export function Notifications(): ReactNode {
  const app = useApp()
  return (
    <Section title="E-mails" description="What we may write to you about.">
      <StoreList
        store={app.notificationPreferences$}
        label="Notifications"
        empty="There are no kinds of e-mails to choose from."
      >
        {preferences => (
          <Rows label="Notifications">
            {preferences.map(preference => (
              <NotificationRow key={preference.notificationCategoryId} preference={preference} />
            ))}
          </Rows>
        )}
      </StoreList>
    </Section>
  )
}
