import { Badge, Button, Grid, Group, Paper, Stack, Switch, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { ReactNode } from 'react'
import type { LoggedRequest } from 'rxauth/platform'
import { Link, useParams } from 'wouter'
import { Row, Rows } from '../../example/ui/rows'
import { askLocal } from '../local/ask-local'
import { requests$ } from '../local/live'
import { useLocalAction } from '../local/use-local-action'
import { Failure, WithLive } from '../local/with-live'
import { PageFrame } from '../page-frame'
import { OpenRequest } from './open-request'

/** The last requests of apps as they are answered, with headers and bodies. */
export function RequestsPage(): ReactNode {
  const { requestId } = useParams()
  const [typed, setTyped] = useState('')
  const [isFailuresOnly, setFailuresOnly] = useState(false)
  const clear = useLocalAction(() => askLocal('DELETE', 'requests'))
  return (
    <PageFrame
      title="Requests"
      description="The last 200 that apps have made. Passwords, tokens, keys and codes are hidden."
      action={
        <Button size="xs" variant="default" onClick={() => clear.run()} loading={clear.isRunning}>
          Clear the log
        </Button>
      }
    >
      {clear.error && <Failure error={clear.error} />}
      <WithLive source$={requests$} label="Requests">
        {all => {
          const wanted = typed.trim().toLowerCase()
          const requests = all.filter(
            request => (!isFailuresOnly || hasFailed(request)) && textOf(request).includes(wanted),
          )
          return (
            <Grid gap="lg">
              <Grid.Col span={{ base: 12, md: 6 }}>
                <Paper p={{ base: 'md', sm: 'lg' }}>
                  <Stack gap="sm">
                    <TextInput
                      type="search"
                      label="Search"
                      placeholder="Method, path, status or error code"
                      value={typed}
                      onChange={event => setTyped(event.currentTarget.value)}
                    />
                    <Switch
                      label="Failures only"
                      checked={isFailuresOnly}
                      onChange={event => setFailuresOnly(event.currentTarget.checked)}
                    />
                    {requests.length === 0 ? (
                      <Text size="sm" c="dimmed" role="status">
                        {all.length === 0 ? 'No requests yet. They appear here as they are answered.' : 'None of them.'}
                      </Text>
                    ) : (
                      <Rows label="Requests">
                        {requests.map(request => (
                          <RequestRow key={request.id} request={request} isOpen={String(request.id) === requestId} />
                        ))}
                      </Rows>
                    )}
                  </Stack>
                </Paper>
              </Grid.Col>
              <Grid.Col span={{ base: 12, md: 6 }}>
                {requestId === undefined ? (
                  <Text size="sm" c="dimmed">
                    Choose a request to see its headers and bodies.
                  </Text>
                ) : (
                  <OpenRequest key={requestId} id={requestId} />
                )}
              </Grid.Col>
            </Grid>
          )
        }}
      </WithLive>
    </PageFrame>
  )
}

function RequestRow({ request, isOpen }: { readonly request: LoggedRequest; readonly isOpen: boolean }): ReactNode {
  const { id, method, path, status, errorCode, tookMillis, fault, access } = request
  return (
    <Row>
      <Link href={`/requests/${id}`} className="row-link" {...(isOpen && { 'aria-current': true })}>
        <Group justify="space-between" wrap="nowrap" gap="sm" align="flex-start">
          <Text component="div" size="sm" fw={500} className="breakable">
            {method} {path}
          </Text>
          <Badge
            color={hasFailed(request) ? 'red' : 'gray'}
            variant={hasFailed(request) ? 'filled' : 'default'}
            className="answer-badge"
          >
            {status ?? 'Lost'}
          </Badge>
        </Group>
        <Text component="div" size="xs" c="dimmed" className="breakable">
          {[errorCode, access, `${Math.round(tookMillis)} ms`, fault && 'by a fault'].filter(Boolean).join(' · ')}
        </Text>
      </Link>
    </Row>
  )
}

function hasFailed({ status }: LoggedRequest): boolean {
  return status === null || status >= 400
}

function textOf({ method, path, status, errorCode }: LoggedRequest): string {
  return `${method} ${path} ${status ?? 'lost'} ${errorCode ?? ''}`.toLowerCase()
}
