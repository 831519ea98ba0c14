import { expectPlain } from '../wire-world'
import { withServer } from './emails-world'

const line = 'POST /internal/analytics/query'

it('a query of analytics is 501, and says what is missing', async () => {
  const refused = await withServer().asAdmin(line, { query: 'SELECT 1', timeout_ms: 1_000 })
  expectPlain(refused, 501)
  expect(refused.text).toContain('no ClickHouse')
})
