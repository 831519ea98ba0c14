import { world } from '../world'

describe('the support of a feature', () => {
  it('is asked for without a session, and told in the words of the platform', async () => {
    const { newApp, settled, requests } = await world()
    const app = newApp()
    expect(await settled(app.checkFeatureSupport({ featureName: 'teleport' }))).toMatch(/"teleport".* not supported/)
    expect(await settled(app.checkFeatureSupport())).toMatch(/not supported/)
    expect(requests).toEqual(['POST /check-feature-support', 'POST /check-feature-support'])
  })
})
