import { useState, type ReactNode } from 'react'
import { useAction } from 'rxauth/react'
import { Button } from '../../example/ui/button'
import { Dialog } from '../../example/ui/dialog'
import { FileButton } from '../../example/ui/picture'
import { Section } from '../../example/ui/section'
import { askLocal } from '../local/ask-local'
import { Failure } from '../local/with-live'
import { PageFrame } from '../page-frame'
import { Time } from './time'

/** The platform's time and data. */
export function PlatformPage(): ReactNode {
  return (
    <PageFrame title="Time and data" description="Move the clock of the platform, and export or import its data.">
      <Time />
      <Data />
    </PageFrame>
  )
}

/** Exports all data as a file, and imports it. */
function Data(): ReactNode {
  const [file, setFile] = useState<File | null>(null)
  const close = () => setFile(null)
  return (
    <Section
      title="Data"
      description="All projects with their users, keys, sessions and mails. The file contains password hashes and signing keys: keep it to yourself. A test reads it with platform.restore()."
    >
      <div className="auth-row">
        <a className="auth-button plain" href="/__local__/data" download>
          Export
        </a>
        <FileButton label="Import" accept="application/json,.json" name="File to import" onFile={setFile} />
      </div>
      <Dialog isOpen={file !== null} onClose={close} title="Replace everything?">
        {file && <Import file={file} onCancel={close} />}
      </Dialog>
    </Section>
  )
}

function Import({ file, onCancel }: { readonly file: File; readonly onCancel: () => void }): ReactNode {
  // The page reloads when the platform reports that all data was replaced.
  const put = useAction(async () => askLocal('PUT', 'data', parsed(await file.text())))
  return (
    <>
      <p>
        All data of the platform will be replaced by {file.name}. Users stay signed in only if the file contains their
        sessions.
      </p>
      <Failure of={put} />
      <div className="auth-row end">
        <Button label="Cancel" kind="plain" onClick={onCancel} data-autofocus />
        <Button label="Replace everything" kind="danger" does={put} />
      </div>
    </>
  )
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Error('This file is not JSON.')
  }
}
