import { existsSync } from 'node:fs'
import { join } from 'node:path'

const transform = join(__dirname, 'jest-transform.cjs')

/** An app with a Babel configuration keeps Babel for its own code, as in Jest without a preset. */
const babelFiles = ['babel.config', '.babelrc'].flatMap(name =>
  ['', '.js', '.cjs', '.mjs', '.json', '.ts', '.cts'].map(ending => name + ending),
)
const hasBabel = babelFiles.some(name => existsSync(join(process.cwd(), name)))

const packages = '(rxauth|jose|@simplewebauthn)'

/** `preset: 'rxauth'`. The app's own `transform` takes precedence. */
export default {
  transform: {
    [`/node_modules/(.*/)?${packages}/.+\\.[cm]?js$`]: transform,
    '\\.[cm]?[jt]sx?$': hasBabel ? 'babel-jest' : transform,
  },
  transformIgnorePatterns: [`/node_modules/(?!(.*/)?${packages}/)`, '\\.pnp\\.[^\\/]+$'],
}
