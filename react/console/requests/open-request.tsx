import { useMemo, type ReactNode } from 'react'
import type { LoggedBody, LoggedExchange } from 'rxauth/platform'
import { Section } from '../../example/ui/section'
import { Instant } from '../local/instant'
import { answerOf, type LiveData } from '../local/live'
import { pending, useLive } from '../local/use-live'
import { Failure } from '../local/with-live'

/** A request and its answer. */
export function OpenRequest({ id }: { readonly id: string }): ReactNode {
  const answer$ = useMemo(() => answerOf<LoggedExchange>(`requests/${encodeURIComponent(id)}`), [id])
  const exchange = useLive<LiveData<LoggedExchange>>(answer$, pending)
  if (exchange.status === 'pending') return <div className="auth-skeleton" style={{ height: 240 }} aria-busy="true" />
  if (exchange.status === 'failed') return <Failure of={exchange} />
  const { method, path, at, origin, fault, requestHeaders, requestBody, responseHeaders, responseBody } = exchange.value
  return (
    <Section
      title="Request"
      description={
        <>
          {method} {path}, <Instant at={at} />
          {origin !== null && ` from ${origin}`}
        </>
      }
    >
      {fault && <p>Affected by a fault: {JSON.stringify(fault)}</p>}
      <Part title="Sent headers" text={headersIn(requestHeaders)} />
      <Body title="Sent body" body={requestBody} />
      <Part title="Answered headers" text={headersIn(responseHeaders)} />
      <Body title="Answered body" body={responseBody} />
    </Section>
  )
}

function Body({ title, body: { text, length } }: { readonly title: string; readonly body: LoggedBody }): ReactNode {
  return <Part title={title} text={text ?? (length > 0 ? `Not kept: ${length} bytes.` : 'None')} />
}

function Part({ title, text }: { readonly title: string; readonly text: string }): ReactNode {
  return (
    <div>
      <p className="strong">{title}</p>
      {/* A part that scrolls is reached by keyboard, too. */}
      <code className="logged" tabIndex={0} role="region" aria-label={title}>
        {text}
      </code>
    </div>
  )
}

function headersIn(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')
}
