import { BugAntIcon } from '@heroicons/react/24/outline'
import type { ReactNode } from 'react'
import { record } from 'rxauth'
import { useApp } from 'rxauth/react'
import { MenuItem } from '../ui/menu'
import { useOwnWords } from './words'

/** The recording under way, which ends with the page. */
let recording: ReturnType<typeof record> | undefined

/** Records what the app does, then saves it as a file for `npx rxauth replay`. A menu renders it each time that it opens. */
export function RecordingItem(): ReactNode {
  const app = useApp()
  const words = useOwnWords()
  const change = async () => {
    const ended = recording
    recording = ended ? undefined : record(app)
    if (ended) save(JSON.stringify(await ended.stop()))
  }
  return (
    <MenuItem
      label={recording ? words.saveRecording : words.record}
      icon={<BugAntIcon />}
      onClick={() => void change()}
    />
  )
}

function save(text: string): void {
  const href = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
  Object.assign(document.createElement('a'), { href, download: 'bug-report.json' }).click()
  // Browsers read it after the click.
  setTimeout(() => URL.revokeObjectURL(href), 60_000)
}
