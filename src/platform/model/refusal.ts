import type { ErrorCode } from '../../errors/codes'
import type { ErrorDetails } from '../../errors/details'
import { statusOf } from './statuses'

type Details = Readonly<Record<string, unknown>>

/** Codes of calls that the kit does not make; its table has none of them. */
export type ForeignCode = 'EMAIL_CAPACITY_BOOST_ALREADY_ACTIVE'

/** A refused request; thrown anywhere in a handler. */
export class Refusal extends Error {
  readonly status: number
  /** Null: plain text without a known-error header. */
  readonly code: ErrorCode | ForeignCode | null
  /** In wire names; undefined if the error has none. */
  readonly details: Details | undefined

  constructor(status: number, code: ErrorCode | ForeignCode | null, message: string, details?: Details) {
    super(shortened(message))
    this.name = 'Refusal'
    this.status = status
    this.code = code
    this.details = details
  }
}

/** Details are typed where the kit declares them, and then required. */
type DetailsOf<C extends ErrorCode> = C extends keyof ErrorDetails ? [details: ErrorDetails[C]] : [details?: Details]

/** A refusal with a known code; details in local names. */
export function known<C extends ErrorCode>(code: C, message: string, ...[details]: DetailsOf<C>): Refusal {
  return new Refusal(statusOf(code), code, message, details && toWireDetails(code, details))
}

/** A refusal of a request whose fields do not fit; the message names them by their names on the wire, the first twenty. */
export function schemaError(what: string, failures: readonly string[] = []): Refusal {
  const named = failures.slice(0, maxNamed).map(failure => failure.slice(0, 200))
  const more = failures.length > maxNamed ? [`and ${failures.length - maxNamed} more`] : []
  const message = [what, ...named, ...more].join('\n  - ')
  return known('SCHEMA_ERROR', message, { message })
}

const maxNamed = 20

/** A refusal in plain text, without a code. */
export function plain(status: number, message: string): Refusal {
  return new Refusal(status, null, message)
}

/** A refusal where the hosted platform answers 500. */
export function hostedFailure(what: string): Refusal {
  return plain(500, `${what} The hosted platform fails here, too.`)
}

function toWireDetails(code: ErrorCode, details: object): Details {
  return Object.fromEntries(
    Object.entries(details).map(([name, value]: [string, unknown]) => [
      wireDetail(code, name),
      value instanceof Date ? value.getTime() : typeof value === 'string' ? shortened(value) : value,
    ]),
  )
}

/** At most 4,000 characters, since messages and details quote requests of any size. */
function shortened(text: string): string {
  return text.length > 4000 ? `${text.slice(0, 4000)}…` : text
}

function wireDetail(code: ErrorCode, name: string): string {
  // The only known error whose detail is camelCase on the wire.
  if (code === 'PASSWORD_TOO_LONG') return name
  const snake = name.replace(/[A-Z]/g, letter => '_' + letter.toLowerCase())
  return snake.endsWith('_at') ? snake + '_millis' : snake
}
