import { useRef } from 'react'
import type { ReactNode, SubmitEvent } from 'react'
import type { TotpEnrolment } from 'rxauth'
import { useAction, useApp } from 'rxauth/react'
import { renderSVG } from 'uqr'
import { Problem } from './problem'

/** Switches the authenticator on and off. */
export function SecondFactorCard({ isOn }: { readonly isOn: boolean }): ReactNode {
  const app = useApp()
  const start = useAction(() => app.startTotpEnrolment())
  const stop = useAction(() => app.disableTotp())
  return (
    <article>
      <h2>Second factor</h2>
      {isOn ? (
        <>
          <p>Signing in asks for six digits of your authenticator.</p>
          <button className="outline" aria-busy={stop.status === 'running'} onClick={() => void stop.run()}>
            Switch it off
          </button>
          <Problem of={stop} />
        </>
      ) : start.status === 'done' ? (
        <Enrolment enrolment={start.value} />
      ) : (
        <>
          <p>Ask for six digits of an authenticator app whenever you sign in.</p>
          <button className="outline" aria-busy={start.status === 'running'} onClick={() => void start.run()}>
            Set it up
          </button>
          <Problem of={start} />
        </>
      )}
    </article>
  )
}

/** Nothing is saved before the digits are right. */
function Enrolment({ enrolment }: { readonly enrolment: TotpEnrolment }): ReactNode {
  const app = useApp()
  const digits = useRef<HTMLInputElement>(null)
  const enable = useAction(async (totp: string) => {
    const result = await app.enableTotp({ secret: enrolment.secret, totp })
    if (!result.ok) digits.current?.select()
    return result
  })
  const isBusy = enable.status === 'running'
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!isBusy) void enable.run(digits.current?.value ?? '')
  }
  const picture = `data:image/svg+xml,${encodeURIComponent(renderSVG(enrolment.uri))}`
  return (
    <form onSubmit={submit} aria-label="Authenticator">
      <img className="qr" src={picture} alt="QR code for an authenticator app" width={192} height={192} />
      <p>
        Scan it, or type this secret: <code className="secret">{enrolment.base32}</code>
      </p>
      <label htmlFor="digits">The six digits that it shows</label>
      <input
        id="digits"
        ref={digits}
        inputMode="numeric"
        autoComplete="one-time-code"
        required
        autoFocus
        aria-describedby="digits-problem"
      />
      <Problem of={enable} id="digits-problem" />
      <button type="submit" aria-busy={isBusy}>
        Switch it on
      </button>
    </form>
  )
}
