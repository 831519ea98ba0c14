import { useEffect, useState, type ReactNode } from 'react'
import { useAction } from 'rxauth/react'
import { Button } from '../../example/ui/button'
import { Section } from '../../example/ui/section'
import { askLocal } from '../local/ask-local'
import { Instant } from '../local/instant'
import { time$, type Clocked } from '../local/live'
import { Failure, WithLive } from '../local/with-live'

const minute = 60_000
const steps = [
  { title: '1 minute', millis: minute },
  { title: '15 minutes', millis: 15 * minute },
  { title: '1 hour', millis: 60 * minute },
  { title: '1 day', millis: 1440 * minute },
  { title: '30 days', millis: 43_200 * minute },
  { title: '1 year', millis: 525_600 * minute },
] as const

/** Moves the clock forward, to see tokens and codes expire. */
export function Time(): ReactNode {
  const forward = useAction((forwardMillis: number) => askLocal('POST', 'time', { forwardMillis }))
  return (
    <Section
      title="Time"
      description="Codes, links, tokens and sessions expire as if the time had passed. After a restart, the platform has the time of this machine again."
    >
      <WithLive source$={time$} label="Time">
        {time => <Now time={time} />}
      </WithLive>
      <Failure of={forward} />
      <div className="auth-row" role="group" aria-label="Move the clock forward">
        {steps.map(({ title, millis }) => (
          <Button
            key={title}
            label={`+ ${title}`}
            kind="plain"
            isSmall
            does={{ status: forward.status, run: () => forward.run(millis) }}
            aria-label={`Forward by ${title}`}
          />
        ))}
      </div>
    </Section>
  )
}

function Now({ time }: { readonly time: Clocked }): ReactNode {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  const { now: heard, heardAt, movedMillis } = time
  const at = new Date(Date.parse(heard) + Math.max(0, now - heardAt)).toISOString()
  return (
    <p>
      The time of the platform is <Instant at={at} />
      {movedMillis > 0 ? `, ${spanOf(movedMillis)} ahead of this machine.` : ', the time of this machine.'}
    </p>
  )
}

/** In whole units. */
function spanOf(millis: number): string {
  const minutes = Math.round(millis / minute)
  const parts = [
    [Math.floor(minutes / 1440), 'day'],
    [Math.floor(minutes / 60) % 24, 'hour'],
    [minutes % 60, 'minute'],
  ] as const
  return parts
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count} ${unit}${count === 1 ? '' : 's'}`)
    .join(', ')
}
