import { isAwaitedByNpm } from '../../src/cli/terminal'

it.each([
  ["'rxauth'", true],
  ['rxauth dev -- vite', true],
  ['npm run build && rxauth dev -- vite', true],
  ['rxauth dev --json > platform.json 2>&1', true],
  ['rxauth dev --json >& platform.json', true],
  ['rxauth dev --json & vite', false],
  ['rxauth dev --json &', false],
  ['node start.mjs', false],
  [undefined, false],
])('a shell of npm that runs "%s" waits for the program: %s', (script, isAwaited) => {
  expect(isAwaitedByNpm({ npm_lifecycle_script: script })).toBe(isAwaited)
})
