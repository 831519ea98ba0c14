import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import manifest from '../../package.json'
import { root } from './sources'

const kept = join(root, 'docs/contributing/api-report')
const update = 'npm run build && RXAUTH_WRITE=1 npx jest --selectProjects package -- test/package/api-report'

const entries = Object.values(manifest.exports).flatMap(target => ('types' in Object(target) ? [target] : []))

describe('the report of the public types', () => {
  const folder = process.env['RXAUTH_WRITE'] ? kept : join(root, '.tmp/api-report-now')

  beforeAll(() => {
    execFileSync(process.execPath, [join(__dirname, 'api-report.mjs'), folder], { cwd: root })
  })

  it('has a file for each entry of the package', () => {
    expect(readdirSync(kept)).toEqual(readdirSync(folder))
    expect(readdirSync(kept)).toHaveLength(entries.length)
  })

  it.each(readdirSync(kept))(`%s is what the built package exports; to update it: ${update}`, file => {
    expect(readFileSync(join(kept, file), 'utf8')).toBe(readFileSync(join(folder, file), 'utf8'))
  })
})
