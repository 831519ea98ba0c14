import { useState, type ReactNode } from 'react'
import type { LoggedRequest } from 'rxauth/platform'
import { useAction } from 'rxauth/react'
import { useParams } from 'wouter'
import { Button } from '../../example/ui/button'
import { Choice } from '../../example/ui/field'
import { StatusBadge } from '../../example/ui/section'
import { askLocal } from '../local/ask-local'
import { requests$ } from '../local/live'
import { Failure, WithLive } from '../local/with-live'
import { PageFrame } from '../page-frame'
import { LinkRow, SearchedList } from '../searched-list'
import { OpenRequest } from './open-request'

/** The last requests of apps as they are answered, with headers and bodies. */
export function RequestsPage(): ReactNode {
  const { requestId } = useParams()
  const [typed, setTyped] = useState('')
  const [isFailuresOnly, setFailuresOnly] = useState(false)
  const clear = useAction(() => askLocal('DELETE', 'requests'))
  return (
    <PageFrame
      title="Requests"
      description="The last 200 requests of your apps. Passwords, tokens, keys and codes are hidden."
      action={<Button label="Clear the log" kind="plain" isSmall does={clear} />}
    >
      <Failure of={clear} />
      <WithLive source$={requests$} label="Requests">
        {all => {
          const wanted = typed.trim().toLowerCase()
          const requests = all.filter(
            request => (!isFailuresOnly || hasFailed(request)) && textOf(request).includes(wanted),
          )
          return (
            <SearchedList
              label="Requests"
              placeholder="Method, path, status or error code"
              typed={typed}
              onType={setTyped}
              filter={
                <Choice
                  kind="switch"
                  label="Failures only"
                  checked={isFailuresOnly}
                  onChange={event => setFailuresOnly(event.currentTarget.checked)}
                />
              }
              items={requests}
              empty={
                all.length === 0 ? 'No requests yet. They appear here as they are answered.' : 'No request matches.'
              }
              row={request => (
                <LinkRow
                  key={request.id}
                  to={`/requests/${request.id}`}
                  isOpen={String(request.id) === requestId}
                  title={`${request.method} ${request.path}`}
                  badge={
                    <StatusBadge kind={hasFailed(request) ? 'danger' : 'plain'}>{request.status ?? 'Lost'}</StatusBadge>
                  }
                  detail={detailOf(request)}
                />
              )}
            >
              {requestId === undefined ? (
                <p className="dim">Choose a request to see its headers and bodies.</p>
              ) : (
                <OpenRequest key={requestId} id={requestId} />
              )}
            </SearchedList>
          )
        }}
      </WithLive>
    </PageFrame>
  )
}

function hasFailed({ status }: LoggedRequest): boolean {
  return status === null || status >= 400
}

/** The text by which a request is found. */
function textOf({ method, path, status, errorCode }: LoggedRequest): string {
  return `${method} ${path} ${status ?? 'lost'} ${errorCode ?? ''}`.toLowerCase()
}

function detailOf({ errorCode, access, tookMillis, fault }: LoggedRequest): string {
  const parts = [errorCode, access, `${Math.round(tookMillis)} ms`, fault && 'by a fault']
  return parts.filter(Boolean).join(' · ')
}
