// `npm run nightly -- NAME`: what takes too long for every change. What follows the name is passed on.
import { spawnSync } from 'node:child_process'

const jest = (env, ...tests) => ({
  program: 'jest',
  options: tests.length > 0 ? ['--selectProjects', 'unit', '--', ...tests] : [],
  env,
})
const script = (program, file, isBuilt = true) => ({ program, options: [file], isBuilt })

const ofScreens = ['methods', 'settings', 'teams', 'invitations', 'access', 'copied'].map(
  name => `test/browser/${name}.test`,
)

const runs = {
  // Copies of the screens in a new app, through the rows of the example that are about its screens.
  screens: {
    program: 'jest',
    options: ['--selectProjects', 'browser', '--', ...ofScreens],
    env: { RXAUTH_SCREENS: 'copied', RXAUTH_LONG: '1' },
    isBuilt: true,
  },
  long: jest({ RXAUTH_LONG: '1' }),
  explore: jest({ RXAUTH_SEEDS: '2000' }, 'test/session/race-', 'test/store/explore-caches'),
  fuzz: jest({ RXAUTH_FUZZ: '50000' }, 'test/platform/fuzz'),
  crash: script('node', 'test/crash/rounds.mjs'),
  'first-hour': script('jiti', 'test/first-hour/first-hour.ts'),
  mutants: script('jiti', 'test/mutants/run.ts', false),
  sleep: {
    program: 'jest',
    options: ['--selectProjects', 'browser', '--', 'test/browser/sleep'],
    env: { RXAUTH_LONG: '1', RXAUTH_REPEATS: process.env.RXAUTH_REPEATS ?? '100' },
    isBuilt: true,
  },
  record: {
    program: 'jest',
    options: ['--selectProjects', 'browser', '--', 'test/browser/record'],
    env: { RXAUTH_RECORDED: process.env.RXAUTH_RECORDED ?? '200' },
    isBuilt: true,
  },
  // Fetches the runtimes from npm.
  everywhere: {
    program: 'jest',
    options: ['--selectProjects', 'browser', '--', 'test/browser/everywhere'],
    env: { RXAUTH_EVERYWHERE: '1' },
    isBuilt: true,
  },
  model: script('jiti', 'test/model/nightly.ts', false),
  walk: script('node', 'test/bench/walk.mjs'),
}

const [name, ...more] = process.argv.slice(2)
if (!Object.hasOwn(runs, name)) {
  console.error(`npm run nightly -- NAME: "${name ?? ''}" is none of ${Object.keys(runs).join(', ')}`)
  process.exit(1)
}
const { program, options, env, isBuilt } = runs[name]
if (isBuilt) run('npm', ['run', 'build'])
// Jest takes what follows its `--` for names of files.
run(program, program === 'jest' ? [...more, ...options] : [...options, ...more], env)

/** On Windows the programs are scripts that need a shell. */
function run(command, given, variables) {
  const { status } = spawnSync(command, given, {
    stdio: 'inherit',
    env: { ...process.env, ...variables },
    shell: process.platform === 'win32',
  })
  if (status !== 0) process.exit(status ?? 1)
}
