import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { version as axe } from 'axe-core/package.json'
import { rule } from './announcements'
import { criteria } from './criteria'
import type { Method } from './methods'
import type { Way } from './ways'

const root = join(__dirname, '../../..')

export const reportFile = join(root, 'docs/accessibility.md')

/** Writes the report anew. */
export const update = 'npm run build && RXAUTH_WRITE=1 npx jest --selectProjects browser -- test/browser/access'

/** The line with the browser and the day, which a run that only compares takes from the page. */
export const testedLine = /^Tested on .*$/m

/** What the line says of a run in this browser. */
export const testedIn = (browser: string) => {
  const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(Date.now())
  return `Tested on ${day} in ${browser} by axe-core ${axe}.`
}

interface Results {
  readonly tested: string
  readonly methods: readonly Method[]
  readonly ways: readonly Way[]
  readonly hasPassed: (method: Method, way: Way) => boolean
}

/** The page of the docs. */
export function reportOf({ tested, methods, ways, hasPassed }: Results): string {
  const row = (...cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const line = (count: number) => row(...Array.from({ length: count }, () => '---'))
  const text = `# Accessibility

The screens of signing in, [those of the example](https://github.com/rxauth/rxauth/tree/main/react/example), are gone through in a
browser: ${methods.length} methods, each in ${ways.length} ways of access. The tests write this page. Each night they go through the same cases with
[copies](screens.md) of the screens in a new app. The page is about these screens only: a page of your own needs tests of its own.

${tested} axe finds nothing in any step of any case, errors, menus and dialogs included.

## ${methods.length} methods in ${ways.length} ways

${row('Method', ...ways.map(({ name }) => name))}
${line(ways.length + 1)}
${methods.map(method => row(method.name, ...ways.map(way => (hasPassed(method, way) ? 'passes' : 'fails')))).join('\n')}

Each case goes through the whole method with at least one mistake in it:

${methods.map(({ name, steps }) => `- **${name}**: ${steps}.`).join('\n')}

Each way checks every step by axe, that the focus is never lost, and this:

${ways.map(({ name, checks }) => `- **${name}**: ${checks}.`).join('\n')}

## Announcements

Each error is announced exactly once, and once more when the same mistake is made again. ${rule}

A script in the page records this from the changes of its elements.

## WCAG 2.2, level A and AA

_axe_ and _matrix_ are tests: _matrix_ means the cases above, in the ways that are named. _By hand_ means a look at the screens and
their sources, which no test repeats.

${row('Criterion', 'Level', 'Result', 'How it was checked')}
${line(4)}
${criteria.map(({ name, level, result, how }) => row(name, level, result, how)).join('\n')}

## What is not proven

- No real screen reader was used: NVDA, JAWS, VoiceOver and TalkBack read a page in ways of their own. Where the focus moves to a field
  at the moment at which its error appears, one of them may read the error with the field and as a message.
- Speech input, switches, screen magnifiers and braille displays were not used.
- The browser is Chromium. Firefox and Safari were not used.
- Zoom is a window of 320 × 256 pixels with four device pixels for each, which is how browsers lay out a page at 400 %.
- The texts are English. In the case of a document from right to left they are English, too.
- The pages of providers are not part of the screens, nor are the suggestions and dialogs of the browser for passkeys.

## Run it again

In a clone of rxauth, after \`npm ci\` and \`npm run build\`:

\`\`\`sh
RXAUTH_LONG=1 npx jest --selectProjects browser -- test/browser/access
\`\`\`

Without \`RXAUTH_LONG\` one case of each way runs.
`
  return execFileSync(process.execPath, [join(root, 'node_modules/oxfmt/bin/oxfmt'), '--stdin-filepath', reportFile], {
    cwd: root,
    input: text,
    encoding: 'utf8',
  })
}
