import type { ClientApp } from 'rxauth'
import { signInWays } from './way'
import type { Way } from './way'

const ada = { email: 'ada@example.com', password: 'correct horse' }

const revoke = 'DELETE /auth/sessions/{sessionId}'

describe.each(signInWays)('a user with several sessions, %s,', (_, open) => {
  let way: Way
  beforeEach(async () => {
    way = await open({ seed: { users: [ada] } })
  })
  afterEach(() => way.close())

  /** Another session, a second later. */
  async function signIn(): Promise<ClientApp> {
    await way.pass(1000)
    const app = way.newApp()
    expect((await app.signInWithPassword(ada)).ok).toBe(true)
    return app
  }

  const current = async (app: ClientApp) => (await app.sessions$.get()).find(each => each.isCurrentSession)!

  it('sees them all, ends one, and is signed out there', async () => {
    const [laptop, phone] = [await signIn(), await signIn()]
    const shown: number[] = []
    const subscription = laptop.sessions$.subscribe(all => shown.push(all.length))
    const [newest, oldest] = await laptop.sessions$.get()
    expect([newest, oldest]).toMatchObject([{ isCurrentSession: false }, { isCurrentSession: true }])
    expect(+newest!.createdAt - +oldest!.createdAt).toBe(1000)
    await laptop.revokeSession({ sessionId: newest!.id })
    expect(shown).toEqual([2, 1])
    subscription.unsubscribe()
    await way.pass(10 * 60_000)
    expect(await phone.accessToken()).toBeNull()
    expect(phone.auth$.value).toEqual({ status: 'signed-out', reason: 'expired' })
    expect(await laptop.accessToken()).not.toBeNull()
  })

  it('cannot revoke the present one, and stays signed in', async () => {
    const laptop = await signIn()
    const { id } = await current(laptop)
    await expect(laptop.revokeSession({ sessionId: id })).rejects.toMatchObject({
      code: 'CANNOT_DELETE_CURRENT_SESSION',
    })
    await way.pass(10 * 60_000)
    expect((await laptop.user$.get())?.primaryEmail).toBe(ada.email)
  })

  it('revokes one although the answer is lost, and sees it in the list', async () => {
    const [laptop, phone] = [await signIn(), await signIn()]
    const { id } = await current(phone)
    way.platform.faults.next(revoke, { loseResponse: true })
    await laptop.revokeSession({ sessionId: id })
    const route = `DELETE /auth/sessions/${id}`
    expect(way.answersTo(route)).toEqual([`${route} 200`, `${route} 404`])
    expect((await laptop.sessions$.get()).map(each => each.isCurrentSession)).toEqual([true])
  })

  it.each([
    ['waits when it is asked to', { status: 429, retryAfter: '1' }, true],
    ['is told of a server that fails', { status: 500 }, false],
    ['is told of an answer that is no answer', { body: 'wrong-code' }, false],
  ] as const)('%s', async (_, fault, works) => {
    const [laptop, phone] = [await signIn(), await signIn()]
    const { id } = await current(phone)
    const subscription = laptop.sessions$.subscribe()
    await laptop.sessions$.get()
    way.platform.faults.next(revoke, fault)
    const call = laptop.revokeSession({ sessionId: id })
    if (works) await call
    else
      await expect(call).rejects.toMatchObject({ code: expect.stringMatching(/^(REQUEST_FAILED|INVALID_RESPONSE)$/) })
    // After a refresh the store shows what the platform has.
    await laptop.sessions$.refresh()
    const done = works || 'body' in fault
    expect(laptop.sessions$.snapshot).toMatchObject({ unconfirmed: 0, value: { length: done ? 1 : 2 } })
    subscription.unsubscribe()
  })

  it('is signed out everywhere after revoking the others and signing out here', async () => {
    const [laptop, phone, tablet] = [await signIn(), await signIn(), await signIn()]
    const others = (await laptop.sessions$.refresh()).filter(each => !each.isCurrentSession)
    expect(others.length).toBe(2)
    await Promise.all(others.map(({ id }) => laptop.revokeSession({ sessionId: id })))
    await laptop.signOut()
    await way.pass(10 * 60_000)
    for (const app of [laptop, phone, tablet]) expect(await app.accessToken()).toBeNull()
  })
})
