import type { DecisionForm } from '../extras/record/forms'
import type { DecisionEvent, InputEvent, RecordedEvent } from './checked'
import { shownName } from './definitions'

/** Ends of a session, as commits and changes of the identity name them. */
const ends = ['signed-out', 'elsewhere', 'expired', 'deleted']

/** An input in words: "the answer 403 to POST /auth/oauth/token". `events`: of the recording, which have the request. */
export function inputWords(event: InputEvent, events: readonly RecordedEvent[]): string {
  switch (event.in) {
    case 'answer': {
      const sent = events.find(each => 'did' in each && each.did === 'send' && each.id === event.id)
      const to = sent && 'path' in sent ? `${sent.method} ${sent.path}` : 'an earlier request'
      if (event.failure)
        return `${event.failure === 'TypeError' ? 'the loss of the answer' : 'the end of the wait for the answer'} to ${to}`
      const { 'x-stack-actual-status': status = String(event.status), 'x-stack-known-error': code } = event.headers
      return `the answer ${status}${code === undefined ? '' : ` ${code}`} to ${to}`
    }
    case 'timer':
      return `a timer of ${secondsOf(event.millis)}`
    case 'random':
      return 'a random number'
    case 'clock':
      return `a jump of the clock by ${secondsOf(event.by)}`
    case 'online':
      return event.is ? 'the network came back' : 'the network was lost'
    case 'visible':
      return event.is ? 'the page was shown' : 'the page was hidden'
    case 'shown':
      return event.is ? 'the page came back from the back-forward cache' : 'the page was left'
    case 'held':
      return event.tokens ? 'tokens in the token store that this tab has not written' : 'an empty token store'
    case 'unread':
      return 'a token store that could not be read'
    case 'kept':
      return 'a write that the token store refused'
    case 'message':
      return event.ended === undefined ? 'a message of another tab: a write' : 'a message of another tab: it signed out'
    case 'lock':
      return `the lock of the tabs: ${event.is}`
    case 'watch':
    case 'leave':
    case 'read': {
      const verb = { watch: 'watching', leave: 'leaving', read: 'reading' }[event.in]
      return `${verb} ${nameOf(event.store, event.input)}`
    }
    case 'write':
      return `a call for ${event.route}`
    case 'token':
      return 'a call for an access token'
    case 'signed in':
      return 'tokens of a sign-in'
    case 'sign out':
      return 'a sign-out'
    case 'call':
      return `${event.name}()`
    case 'abort':
      return 'a call that was given up'
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

function nameOf(store: string, input: unknown): string {
  return shownName(`${store} ${JSON.stringify(input) ?? '{}'}`)
}
