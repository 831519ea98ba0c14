import { decisionWords, inputWords, type InputEvent } from '../../src/replay/events'

const moment = { at: 0, turn: 0, step: 0, index: 0 }
const place = { store: 'client GET /teams', input: {} }
const send = { ...moment, did: 'send', id: 3, method: 'GET', path: '/teams' } as const

describe('an event in words', () => {
  it.each<[InputEvent, string]>([
    [{ ...moment, in: 'answer', id: 3, status: 503, headers: {} }, 'the answer 503 to GET /teams'],
    [
      { ...moment, in: 'answer', id: 9, status: 200, headers: {}, failure: 'TypeError' },
      'no answer to an earlier request',
    ],
    [{ ...moment, in: 'clock', by: -3_600_000 }, 'the clock jumped 60 min back: it was set'],
    [{ ...moment, in: 'watch', asks: true, ...place }, 'the watch of teams$'],
    [{ ...moment, in: 'held', tokens: null }, 'the token store was empty'],
    [{ ...moment, in: 'message', ended: 'text-1' }, 'another tab told that it had signed out'],
    [{ ...moment, in: 'write', route: 'PATCH /users/me', input: {} }, 'a call for PATCH /users/me'],
    [{ ...moment, in: 'call', name: 'signOut', given: [] }, 'signOut()'],
  ])('%j', (event, words) => {
    expect(inputWords(event, [send])).toBe(words)
  })

  it.each([
    [undefined, 'did nothing more'],
    [send, 'sent GET /teams'],
    [{ did: 'identity', to: 'signed-out', cause: 'expired' }, 'ended the session (expired)'],
    [{ did: 'commit', cause: 'session: deleted', isOfSession: true, shown: {} }, 'ended the session (deleted)'],
    [
      { did: 'commit', cause: 'loaded', shown: { 'client GET /teams {}': 'ready 1' } },
      'showed teams$ "ready 1" (loaded)',
    ],
    [{ did: 'post', ended: 'text-1' }, 'told other tabs that it had signed out'],
    [{ did: 'refresh', outcome: 'transient' }, 'kept the session, and will refresh again'],
  ])('%j', (decision, words) => {
    expect(decisionWords(decision)).toBe(words)
  })
})
