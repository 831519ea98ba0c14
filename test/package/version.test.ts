import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { version } from '../../src/core/version'
import { root } from './sources'

it('the version that requests carry is the version of the package', () => {
  expect(version).toBe(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version)
})
