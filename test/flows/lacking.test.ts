import { wireName, type Shape } from '../../src/core/wire'
import { coreOf } from '../../src/store/kit-parts'
import { call } from '../../src/transport/call'
import { declaredEndpoints } from '../declared-endpoints'
import { sampleInput } from '../sample-input'
import { ada } from '../world'
import { adminWrites, clientWrites, serverWrites } from './every-sample'
import { everyStore, freshly } from './every-store'
import { inTime, requestStage, valuesOf, type Write } from './stage'

const lacking = declaredEndpoints().filter(({ notOnPlatform }) => notOnPlatform !== undefined)

/** The fields of newer releases, in calls that the reference release has without them. */
const newerFields = lacking.flatMap(endpoint => {
  const { entries } = endpoint.input as unknown as { readonly entries: Readonly<Record<string, Shape<unknown>>> }
  return Object.entries(entries).flatMap(([name, field]) =>
    'isNewer' in field && !endpoint.route.includes('/outbox')
      ? [[endpoint.access, endpoint.route, wireName(name, field), name, endpoint] as const]
      : [],
  )
})

/** Calls that one release alone has, with the release that lacks them. */
const lackingCalls = lacking
  .filter(endpoint => !newerFields.some(([, , , , other]) => other === endpoint))
  .map(endpoint => {
    const isOlder = endpoint.route.includes(' /email-templates') || 'previewHtml' in endpoint.places
    return [isOlder ? '2026' : '2.8.18', endpoint.access, endpoint.route, endpoint] as const
  })

const writes: Readonly<Record<string, Pick<Write<never>, 'wire' | 'write'>>> = {
  ...clientWrites,
  ...serverWrites,
  ...adminWrites,
}
/** An invitation by its code is accepted on every release. */
const newerWrites = Object.entries(writes).filter(([name, { wire }]) => wire === '2026' && !name.endsWith(', of 2026'))

const newerStores = [
  ...['branchConfigOverride$', 'emailDeliveryInfo$', 'emailDraft$', 'emailDrafts$', 'emailOutbox$', 'emailTheme$'],
  ...['emailThemes$', 'metricsWithAnonymous$', 'oauthProviders$', 'oauthProvidersOf$', 'outboxEmail$'],
  ...['ownTeamInvitations$', 'ownTeamInvitationsOf$', 'projectConfig$', 'projectConfigOverride$'],
  ...['projectConfigSource$', 'providerAccounts$', 'providerAccountsOf$', 'signUpRulesStats$', 'teamPage$'],
  'teamPermissionDefinitionPage$',
]

describe('NOT_ON_THIS_PLATFORM is the error of', () => {
  // Promise: email-outbox
  // Promise: project-logos
  // Promise: server-restrictions
  it.each(newerFields)('%s %s with the field %s on the reference release', async (_, route, field, name, endpoint) => {
    const { app } = await requestStage(ada.email)
    const input = { ...sampleInput(endpoint, true), [name]: sampleInput(endpoint)[name] }
    await expect(inTime(call(coreOf(app).transport, endpoint, input))).rejects.toMatchObject({
      code: 'NOT_ON_THIS_PLATFORM',
      details: { call: route, field },
    })
  })

  // Promise: not-on-this-platform
  // Promise: project-transfer
  // Promise: restriction-ends-by-address
  // Promise: apple-token
  it.each(lackingCalls)('on %s: %s %s', async (wire, _, route, endpoint) => {
    const { app } = await requestStage(ada.email, wire)
    const calling = call(coreOf(app).transport, endpoint, sampleInput(endpoint, true))
    await expect(inTime(calling)).rejects.toMatchObject({ code: 'NOT_ON_THIS_PLATFORM', details: { call: route } })
  })

  it.each(newerWrites)('the write %s on the reference release, where it changes nothing', async (_, { write }) => {
    const stage = await requestStage(ada.email)
    const before = stage.platform.snapshot()
    const unknown = stage.ids.template
    await expect(inTime(write(stage as never, unknown as never))).rejects.toMatchObject({
      code: 'NOT_ON_THIS_PLATFORM',
    })
    expect(stage.platform.snapshot()).toEqual(before)
  })

  // Promise: email-templates
  // Promise: project-config
  it('exactly these stores of the reference release, of one row or of many', async () => {
    const { app, ...stage } = await requestStage(ada.email)
    const loads = everyStore('admin', valuesOf(stage)).map(async ({ name, open }) =>
      (await freshly(open(app))).code === 'NOT_ON_THIS_PLATFORM' ? [name.split(' ')[0]!] : [],
    )
    expect([...new Set((await inTime(Promise.all(loads))).flat())].sort()).toEqual(newerStores)
  })
})
