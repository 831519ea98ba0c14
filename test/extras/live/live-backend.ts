import type { ClientApp, LiveConnection } from 'rxauth'
import { coreOf } from '../../../src/store/kit-parts'
import { readAccessToken } from '../../../src/transport/access-token'
import type { World } from '../../world'

/** A socket of the backend that `liveWorld` imitates. */
export class FakeSocket extends EventTarget {
  readyState = 0
  /** The codes with which the page has closed it. */
  readonly closedWith: (number | undefined)[] = []
  readonly token: string
  readonly signal: AbortSignal
  /** By the clock of the backend, at the time of the opening. */
  readonly remainingMillis: number

  constructor(token: string, signal: AbortSignal, now: number) {
    super()
    this.token = token
    this.signal = signal
    this.remainingMillis = this.expiresAt - now
  }

  get userId(): string {
    return readAccessToken(this.token)!.userId
  }

  get expiresAt(): number {
    return readAccessToken(this.token)!.expiresAtMillis!
  }

  /** As sockets of browsers: no event follows. */
  close(code?: number): void {
    this.closedWith.push(code)
    this.readyState = 3
  }

  open(): void {
    if (this.readyState !== 0) return
    this.readyState = 1
    this.dispatchEvent(new Event('open'))
  }

  /** The backend closes it. */
  end(code: number): void {
    if (this.readyState === 3) return
    this.readyState = 3
    if (code === 1006) this.dispatchEvent(new Event('error'))
    this.dispatchEvent(Object.assign(new Event('close'), { code }))
  }

  receive(text: string): void {
    if (this.readyState === 1) this.dispatchEvent(Object.assign(new Event('message'), { data: text }))
  }
}

/** Every status that the connection shows, and how the stream ends. */
export function statusesOf({ status$ }: LiveConnection): unknown[] {
  const seen: unknown[] = []
  status$.subscribe({ next: status => seen.push(status), complete: () => seen.push('complete') })
  return seen
}

/** The refreshes so far. */
export const refreshesIn = ({ requests }: World): number =>
  requests.filter(line => line === 'POST /auth/oauth/token').length

/** The user of the present session, before any store shows it. */
export const userOf = (app: ClientApp): string | null => coreOf(app).session.identity.userId
