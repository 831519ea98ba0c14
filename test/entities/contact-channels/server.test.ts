import { serverWorld } from '../../kit/server-world'
import { ada } from '../../world'

describe('a server app', () => {
  it('sees and changes the contact channels of any user', async () => {
    const { server, settled, inTime, graceId } = await serverWorld()
    const shown: number[] = []
    server.contactChannelsOf$({ userId: graceId }).subscribe(all => shown.push(all.length))
    await settled(server.contactChannelsOf$({ userId: graceId }).get())
    const added = await inTime(
      server.createContactChannelById({ userId: graceId, value: 'home@example.com', isVerified: true }),
    )
    if (!added.ok) throw added.error
    expect(added.value).toMatchObject({ userId: graceId, isVerified: true })
    const { id: contactChannelId } = added.value
    await inTime(server.updateContactChannelById({ userId: graceId, contactChannelId, isPrimary: true }))
    expect(await settled(server.userById$({ userId: graceId }).get())).toMatchObject({
      primaryEmail: 'home@example.com',
    })
    await inTime(server.deleteContactChannelById({ userId: graceId, contactChannelId }))
    expect(shown).toEqual([1, 2, 2, 1])
  })

  it('gives no user an address with which another user signs in', async () => {
    const { server, inTime, graceId } = await serverWorld()
    const added = await inTime(server.createContactChannelById({ userId: graceId, value: 'home@example.com' }))
    if (!added.ok) throw added.error
    const taken = { userId: graceId, value: ada.email, usedForAuth: true }
    const refusal = { ok: false, error: { code: 'CONTACT_CHANNEL_ALREADY_USED_FOR_AUTH_BY_SOMEONE_ELSE' } }
    expect(await inTime(server.createContactChannelById(taken))).toMatchObject(refusal)
    const { id: contactChannelId } = added.value
    expect(await inTime(server.updateContactChannelById({ ...taken, contactChannelId }))).toMatchObject(refusal)
  })
})
