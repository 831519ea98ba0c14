import { useState } from 'react'
import type { ReactNode } from 'react'
import type { TotpEnrolment } from 'rxauth'
import { useApp } from 'rxauth/react'
import { renderSVG } from 'uqr'
import { Button } from '../../ui/button'
import { CodeInput } from '../../ui/code-input'
import { CopyField } from '../../ui/copy-field'
import { useWords } from '../../words/use-words'

interface Props {
  readonly enrolment: TotpEnrolment
  readonly onCancel: () => void
}

/** Shows the secret, then asks for a code of the app. Nothing is saved before the code is right. */
export function TwoStepSetUp({ enrolment, onCancel }: Props): ReactNode {
  const app = useApp()
  const { account, ui } = useWords()
  const words = account.security
  const [isScanned, setScanned] = useState(false)
  const picture = `data:image/svg+xml,${encodeURIComponent(renderSVG(enrolment.uri))}`
  return (
    <div className="auth-stack">
      <ol className="auth-steps">
        <li aria-current={isScanned ? undefined : 'step'}>{words.scan}</li>
        <li aria-current={isScanned ? 'step' : undefined}>{words.confirm}</li>
      </ol>
      {isScanned ? (
        <>
          <CodeInput
            label={words.code}
            kind="digits"
            onComplete={totp => app.enableTotp({ secret: enrolment.secret, totp })}
          />
          <div className="auth-row end">
            <Button kind="plain" onClick={() => setScanned(false)}>
              {words.back}
            </Button>
          </div>
        </>
      ) : (
        <>
          <p>{words.scanText}</p>
          <img className="qr" src={picture} alt={words.qrCode} width={192} height={192} />
          <p>{words.orKey}</p>
          <CopyField label={words.key} value={enrolment.base32} />
          <div className="auth-row end">
            <Button kind="plain" onClick={onCancel}>
              {ui.cancel}
            </Button>
            <Button onClick={() => setScanned(true)}>{words.next}</Button>
          </div>
        </>
      )}
    </div>
  )
}
