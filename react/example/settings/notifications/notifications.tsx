import type { ReactNode } from 'react'
import { useApp } from 'rxauth/react'
import { Section } from '../../ui/section'
import { StoreList } from '../../ui/store-list'
import { NotificationRow } from './notification-row'

/** The user's preferences for mails. */
export function Notifications(): ReactNode {
  const app = useApp()
  return (
    <Section title="E-mails" description="Choose which e-mails you receive.">
      <StoreList store={app.notificationPreferences$} label="Notifications" empty="There are no optional e-mails.">
        {preference => <NotificationRow key={preference.notificationCategoryId} preference={preference} />}
      </StoreList>
    </Section>
  )
}
