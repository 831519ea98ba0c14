import { useState } from 'react'
import type { ReactNode } from 'react'
import type { TotpEnrolment } from 'rxauth'
import { useApp } from 'rxauth/react'
import { renderSVG } from 'uqr'
import { Button } from '../../ui/button'
import { CodeInput } from '../../ui/code-input'
import { CopyField } from '../../ui/copy-field'

interface Props {
  readonly enrolment: TotpEnrolment
  readonly onCancel: () => void
}

/** Shows the secret, then asks for a code of the app. Nothing is saved before the code is right. */
export function TwoStepSetUp({ enrolment, onCancel }: Props): ReactNode {
  const app = useApp()
  const [isScanned, setScanned] = useState(false)
  const picture = `data:image/svg+xml,${encodeURIComponent(renderSVG(enrolment.uri))}`
  return (
    <div className="stack">
      <ol className="steps">
        <li aria-current={isScanned ? undefined : 'step'}>Scan the code</li>
        <li aria-current={isScanned ? 'step' : undefined}>Confirm it</li>
      </ol>
      {isScanned ? (
        <>
          <CodeInput
            label="Code that the app shows"
            kind="digits"
            onComplete={totp => app.enableTotp({ secret: enrolment.secret, totp })}
          />
          <div className="row end">
            <Button kind="plain" onClick={() => setScanned(false)}>
              Back
            </Button>
          </div>
        </>
      ) : (
        <>
          <p>Scan this with an authenticator app, such as Google Authenticator or 1Password.</p>
          <img className="qr" src={picture} alt="QR code for an authenticator app" width={192} height={192} />
          <p>Or enter this key in the app:</p>
          <CopyField label="Key for the authenticator app" value={enrolment.base32} />
          <div className="row end">
            <Button kind="plain" onClick={onCancel}>
              Cancel
            </Button>
            <Button onClick={() => setScanned(true)}>Next</Button>
          </div>
        </>
      )}
    </div>
  )
}
