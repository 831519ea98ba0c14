import type { ReactNode } from 'react'
import { useUser } from 'rxauth/react'
import { useParams } from 'wouter'
import { NotFoundPage } from '../handlers/not-found'
import { SectionPage } from '../shell/section-page'
import { sections } from './sections'

/** Everything that a person can change about the account, a page per matter; for signed-in people only. */
export function AccountSettingsPage(): ReactNode {
  useUser({ or: 'redirect' })
  const { section: path = '' } = useParams()
  const here = sections.find(each => each.path === path)
  if (!here) return <NotFoundPage />
  return (
    <SectionPage label="Account settings" base="/handler/account-settings" sections={sections} here={here}>
      <here.content />
    </SectionPage>
  )
}
