import { createPlatform } from 'rxauth/platform'
import { Passkeys } from '../../src/testing/passkeys'

const origin = 'http://localhost'
const challenge = 'Y2hhbGxlbmdl'
const suggest = { kind: 'suggest', options: { rpId: 'localhost', challenge } } as const

/** The device of a test, with a passkey of each of these accounts. */
async function device(...accounts: readonly string[]): Promise<Passkeys> {
  const passkeys = new Passkeys(createPlatform())
  for (const [at, name] of accounts.entries()) {
    const options = { rp: { id: 'localhost' }, user: { id: `YWF${at}`, name, displayName: name }, challenge }
    await passkeys.answer(origin, { kind: 'create', options })
  }
  return passkeys
}

describe('the device of a test with a browser', () => {
  // Promise: playwright-passkeys
  it('answers a suggestion when the test chooses, and waits for a page that takes the answer', async () => {
    const passkeys = await device('ada', 'grace')
    // Of a page that was closed since.
    void passkeys.answer(origin, suggest)
    let isTaken = false
    const choosing = passkeys.choose('ada').then(() => (isTaken = true))
    const { answer } = await passkeys.answer(origin, suggest)
    expect(answer).toMatchObject({ id: passkeys.list()[0]!.id })
    expect(isTaken).toBe(false)
    await passkeys.answer(origin, { kind: 'taken' })
    await choosing
    expect(isTaken).toBe(true)
  })

  it.each([
    ['has none', [], undefined, 'no passkey to suggest'],
    ['has none of the account', ['ada'], 'kim', 'no passkey of "kim", only of ada'],
  ])('refuses a choice that no page could take: it %s', async (_, accounts, account, text) => {
    await expect((await device(...accounts)).choose(account)).rejects.toThrow(text)
  })

  it('refuses as a browser does, by the name of the error', async () => {
    const passkeys = await device('ada')
    const foreign = { kind: 'get', options: { rpId: 'example.org', challenge } } as const
    expect(await passkeys.answer(origin, foreign)).toMatchObject({ refused: { name: 'SecurityError' } })
    passkeys.user = 'refuses'
    expect(await passkeys.answer(origin, foreign)).toMatchObject({ refused: { name: 'NotAllowedError' } })
  })
})
