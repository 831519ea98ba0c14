import type { ReactNode } from 'react'
import { useUser } from 'rxauth/react'
import { NotFound } from '../handlers/not-found'
import { SectionPage } from '../shell/section-page'
import { sections } from './sections'
import { useWords } from '../words/use-words'

/** The settings of the account, for signed-in users only; each section has its own page. */
export function AccountSettingsPage({ section: path = '' }: { readonly section?: string | undefined }): ReactNode {
  const { id } = useUser({ or: 'redirect' })
  const words = useWords()
  const all = sections(words)
  const here = all.find(each => each.path === path)
  if (!here) return <NotFound />
  return (
    <SectionPage label={words.account.title} base="/handler/account-settings" sections={all} here={here}>
      {/* The key drops text that one user has typed before the next one is shown. */}
      <here.content key={id} />
    </SectionPage>
  )
}
