import type { ReactNode } from 'react'
import { useApp } from 'rxauth/react'
import { Section } from '../../ui/section'
import { StoreList } from '../../ui/store-list'
import { NotificationRow } from './notification-row'
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
