import { Code, Skeleton, Stack, Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import type { LoggedBody, LoggedExchange } from 'rxauth/platform'
import { Section } from '../../example/ui/section'
import { askLocal } from '../local/ask-local'
import { Instant } from '../local/instant'
import type { Live } from '../local/live'
import { Failure } from '../local/with-live'

/** A request and its answer. */
export function OpenRequest({ id }: { readonly id: string }): ReactNode {
  const [exchange, setExchange] = useState<Live<LoggedExchange>>({ status: 'pending' })
  useEffect(() => {
    let isGone = false
    const show = (next: Live<LoggedExchange>) => {
      if (!isGone) setExchange(next)
    }
    askLocal('GET', `requests/${encodeURIComponent(id)}`).then(
      value => show({ status: 'ready', value: value as LoggedExchange }),
      (error: unknown) => show({ status: 'failed', error: error as Error }),
    )
    return () => {
      isGone = true
    }
  }, [id])
  if (exchange.status === 'pending') return <Skeleton height={240} aria-busy="true" />
  if (exchange.status === 'failed') return <Failure error={exchange.error} />
  const { method, path, at, origin, fault, requestHeaders, requestBody, responseHeaders, responseBody } = exchange.value
  return (
    <Section
      title="Request"
      description={
        <span className="breakable">
          {method} {path}, <Instant at={at} />
          {origin !== null && ` from ${origin}`}
        </span>
      }
    >
      <Stack gap="md">
        {fault && <Text size="sm">A fault met this request: {JSON.stringify(fault)}</Text>}
        <Part title="Sent headers" text={headersIn(requestHeaders)} />
        <Body title="Sent body" body={requestBody} />
        <Part title="Answered headers" text={headersIn(responseHeaders)} />
        <Body title="Answered body" body={responseBody} />
      </Stack>
    </Section>
  )
}

function Body({ title, body: { text, length } }: { readonly title: string; readonly body: LoggedBody }): ReactNode {
  return <Part title={title} text={text ?? (length > 0 ? `Not kept: ${length} bytes.` : 'None')} />
}

function Part({ title, text }: { readonly title: string; readonly text: string }): ReactNode {
  return (
    <div>
      <Text size="sm" fw={500} mb={4}>
        {title}
      </Text>
      {/* What scrolls is reached by keyboard, too. */}
      <Code block className="logged" tabIndex={0} role="region" aria-label={title}>
        {text}
      </Code>
    </div>
  )
}

function headersIn(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')
}
