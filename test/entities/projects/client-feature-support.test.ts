import { world } from '../../world'

describe('the support of a feature', () => {
  it('is requested without a session, and returned in the platform’s words', async () => {
    const { newApp, settled, requests } = await world()
    const app = newApp()
    expect(await settled(app.checkFeatureSupport({ featureName: 'teleport' }))).toMatch(/"teleport".* not supported/)
    expect(await settled(app.checkFeatureSupport())).toMatch(/not supported/)
    expect(requests).toEqual(['POST /check-feature-support', 'POST /check-feature-support'])
  })
})
