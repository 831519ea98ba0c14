import {
  Bars3Icon,
  BoltIcon,
  ClockIcon,
  EnvelopeIcon,
  QueueListIcon,
  Squares2X2Icon,
} from '@heroicons/react/24/outline'
import type { ReactNode } from 'react'
import { useLocation } from 'wouter'
import { Brand } from '../example/shell/brand'
import { ColorSchemeButton } from '../example/app/color-scheme'
import { BarLink, Frame } from '../example/app/frame'
import { Alert } from '../example/ui/alert'
import { TextLink } from '../example/ui/button'
import { Menu, MenuLink } from '../example/ui/menu'
import { faults$, isConnected$, time$, type LiveData } from './local/live'
import { pending, useLive } from './local/use-live'

const areas = [
  { path: '/projects', title: 'Projects', icon: Squares2X2Icon },
  { path: '/mailbox', title: 'Mailbox', icon: EnvelopeIcon },
  { path: '/requests', title: 'Requests', icon: QueueListIcon },
  { path: '/faults', title: 'Faults', icon: BoltIcon },
  { path: '/platform', title: 'Time and data', icon: ClockIcon },
] as const

/** The frame of every page of the console. */
export function AdminFrame({ children }: { readonly children: ReactNode }): ReactNode {
  const isConnected = useLive(isConnected$, true)
  return (
    <Frame
      isWide
      start={<Brand />}
      end={
        <>
          <nav aria-label="Console" className="auth-row tight oneline only-wide">
            {areas.map(({ path, title, icon: Icon }) => (
              <BarLink key={path} to={path} icon={<Icon width={18} />} label={title} />
            ))}
          </nav>
          <div className="only-narrow">
            <Menu label="Pages of the console" button={<Bars3Icon width={20} />}>
              {areas.map(({ path, title, icon: Icon }) => (
                <MenuLink label={title} key={path} to={path} icon={<Icon />} />
              ))}
            </Menu>
          </div>
          <ColorSchemeButton />
        </>
      }
    >
      {!isConnected && (
        <Alert kind="warning" role="status">
          The platform cannot be reached. This page continues when it can.
        </Alert>
      )}
      <Unusual />
      {children}
    </Frame>
  )
}

/** Warns of active faults and a moved clock, which would otherwise look like defects. */
function Unusual(): ReactNode {
  const [path] = useLocation()
  const faults = useLive<LiveData<readonly unknown[]>>(faults$, pending)
  const time = useLive<LiveData<{ readonly movedMillis: number }>>(time$, pending)
  const count = faults.status === 'ready' ? faults.value.length : 0
  const isMoved = time.status === 'ready' && time.value.movedMillis > 0
  return (
    <>
      {count > 0 && path !== '/faults' && (
        <Alert kind="warning" role="status">
          {count === 1 ? 'A fault is' : `${count} faults are`} switched on.{' '}
          <TextLink to="/faults">Look at faults</TextLink>
        </Alert>
      )}
      {isMoved && path !== '/platform' && (
        <Alert kind="warning" role="status">
          The clock of the platform has been moved forward. <TextLink to="/platform">Look at the time</TextLink>
        </Alert>
      )}
    </>
  )
}
