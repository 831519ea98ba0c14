import type { DecisionForm } from '../extras/record/forms'
import type { DecisionEvent, InputEvent, RecordedEvent } from './checked'
import { shownName } from './definitions'

/** Ends of a session, as commits and changes of the identity name them. */
const ends = ['signed-out', 'elsewhere', 'expired', 'deleted', 'idle', 'limit']

/** An input in words: "the answer 403 to POST /auth/oauth/token". `events`: of the recording, which have the request. */
export function inputWords(event: InputEvent, events: readonly RecordedEvent[]): string {
  switch (event.in) {
    case 'answer': {
      const sent = events.find(each => 'did' in each && each.did === 'send' && each.id === event.id)
      const to = sent && 'path' in sent ? `${sent.method} ${sent.path}` : 'an earlier request'
      const { 'x-stack-actual-status': status = String(event.status), 'x-stack-known-error': code } = event.headers
      return event.failure
        ? `no answer to ${to}`
        : `the answer ${status}${code === undefined ? '' : ` ${code}`} to ${to}`
    }
    case 'clock':
      return event.by < 0
        ? `the clock jumped ${span(event.by)} back: it was set`
        : `the clock jumped ${span(event.by)} ahead: it was set, or the machine slept`
    case 'online':
      return event.is ? 'the browser was online' : 'the browser was offline'
    case 'visible':
      return event.is ? 'the page was shown' : 'the page was hidden'
    case 'shown':
      return event.is ? 'the page came back from the back-forward cache' : 'the page was left'
    case 'followed':
      return event.is ? 'the app began to follow the session' : 'the app followed the session no more'
    case 'held':
      return event.tokens ? 'the token store had tokens that this tab had not stored' : 'the token store was empty'
    case 'unread':
      return 'the token store could not be read'
    case 'kept':
      return 'the token store refused a write'
    case 'message':
      return event.ended === undefined ? 'another tab told of a write' : 'another tab told that it had signed out'
    case 'lock':
      if (event.is === 'lost') return 'another tab took the lock from this one'
      return event.name.includes('steal') ? 'this tab took the lock from another one' : `the lock was ${event.is}`
    case 'watch':
    case 'leave':
    case 'read':
      return `the ${event.in} of ${shownName(`${event.store} ${JSON.stringify(event.input) ?? '{}'}`)}`
    case 'write':
      return `a call for ${event.route}`
    case 'token':
      return 'a call for an access token'
    case 'signed in':
      return 'a sign-in of this tab stored its tokens'
    case 'sign out':
      return event.reason === 'signed-out'
        ? 'the app called signOut() in this tab'
        : `sessionLimits() ended the session (${event.reason})`
    case 'call':
      return `${event.name}()`
    default:
      return {
        timer: 'a timer',
        random: 'a random number',
        abort: 'a call that was given up',
        came: 'what came from a device or the browser',
      }[event.in]
  }
}

/** A decision in words that follow "the recording" or "this rxauth"; `undefined`: there was none. */
export function decisionWords(decision: DecisionEvent | DecisionForm | undefined): string {
  if (!decision) return 'did nothing more'
  // A form has the fields of an event.
  const event = decision as DecisionEvent
  switch (event.did) {
    case 'send':
      return `sent ${event.method} ${event.path}`
    case 'refresh':
      return event.outcome === 'transient'
        ? 'kept the session, and will refresh again'
        : `had a refresh that was ${event.outcome}`
    case 'identity':
      return event.to === 'signed-out' ? `ended the session (${event.cause})` : `became ${event.to} (${event.cause})`
    case 'post':
      return `told other tabs ${event.ended === undefined ? 'of a write' : 'that it had signed out'}`
    case 'oauth':
      return `went to the provider ${event.provider}`
    case 'retry':
      return `waits to send ${event.method} ${event.path} again (${event.cause})`
    case 'commit': {
      const cause = event.cause.replace(/^session: /, '')
      if (event.isOfSession && ends.includes(cause)) return `ended the session (${cause})`
      const shown = Object.entries(event.shown).map(([name, text]) => `${shownName(name)} "${text}"`)
      return `showed ${shown.join(', ') || 'the session'} (${event.cause})`
    }
  }
}

export function secondsOf(millis: number): string {
  return `${(millis / 1000).toFixed(1)} s`
}

function span(millis: number): string {
  const seconds = Math.abs(millis) / 1000
  const [unit, name] =
    seconds < 120 ? [1, 's'] : seconds < 7200 ? [60, 'min'] : seconds < 172_800 ? [3600, 'h'] : [86_400, 'days']
  return `${Math.round(seconds / unit)} ${name}`
}
