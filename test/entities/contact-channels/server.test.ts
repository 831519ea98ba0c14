import { serverWorld } from '../../kit/server-world'
import { ada } from '../../world'

describe('a server app', () => {
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

  it('leaves an address verified that it changes to the same one', async () => {
    const { server, inTime, graceId: userId } = await serverWorld()
    const channels = server.contactChannelsOf$({ userId })
    channels.subscribe()
    const [channel] = await inTime(channels.get())
    const { id: contactChannelId, value } = channel!
    await inTime(server.updateContactChannelById({ userId, contactChannelId, isVerified: true }))
    const changed = server.updateContactChannelById({ userId, contactChannelId, value: ` ${value}`, usedForAuth: true })
    expect(await inTime(changed)).toMatchObject({ ok: true, value: { isVerified: true } })
  })
})
