import { useEffect, useState } from 'react'
import type { Dispatch, SetStateAction } from 'react'
import { ownedStorage } from 'rxauth'
import { useApp } from 'rxauth/react'

const key = 'note'

/** The text that the user is typing: it survives a reload, and is removed before another user is shown. */
export function useDraft(): readonly [string, Dispatch<SetStateAction<string>>] {
  const drafts = ownedStorage(useApp())
  const [text, setText] = useState(() => drafts.getItem(key) ?? '')
  // In an effect, which does not run for a form that is gone: a late failure writes nothing into the next user's drafts.
  useEffect(() => {
    try {
      drafts.setItem(key, text)
    } catch {
      // The browser's storage is full: the text is kept until the page is left.
    }
  }, [drafts, text])
  return [text, setText]
}
