import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { initApp } from '../../../src/cli/init/command'
import { run } from '../../../src/cli/run'
import { guided, shownFiles } from '../../frameworks/apps'
import { terminal } from '../terminal'

let folder: string

beforeEach(() => {
  folder = terminal().io.folder
})

async function init(args: readonly string[] = ['--yes'], overrides: Parameters<typeof terminal>[0] = {}) {
  // No case runs the package manager of this machine.
  const { io, out, err } = terminal({ folder, environment: managerIn(0).environment, ...overrides })
  const code = await run(['init', ...args], io)
  return { code, out: out(), err: err() }
}

/** Every file below the folder, by its path. */
function files(): Readonly<Record<string, string>> {
  const all = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())
  const paths = all.map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
  return Object.fromEntries(paths.filter(path => !path.startsWith('node_modules')).map(path => [path, read(path)]))
}

const read = (path: string) => readFileSync(join(folder, path), 'utf8')

function put(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

/** The packages of the guides for Vite and Vue, and where they are installed. */
const known = 'react react-dom rxauth rxjs vite @vitejs/plugin-react typescript @types/react @types/react-dom'.split(
  ' ',
)
const vue = ['vue', 'rxauth', 'rxjs', 'vite', '@vitejs/plugin-vue', 'typescript']

/** A project with everything installed. */
function project(names: readonly string[], more: object = {}): void {
  const dependencies = Object.fromEntries(names.map(name => [name, '*']))
  put(
    'package.json',
    `${JSON.stringify({ name: 'app', type: 'module', scripts: { dev: 'vite' }, ...more, dependencies }, null, 2)}\n`,
  )
  for (const name of names) put(`node_modules/${name}/package.json`, '{}')
}

/** A package manager that notes its arguments, and ends with the code. */
function managerIn(code: number, name = 'npm'): { readonly environment: NodeJS.ProcessEnv; asked(): string } {
  const bin = mkdtempSync(join(terminal().io.folder, 'bin-'))
  const noted = join(bin, 'asked')
  writeFileSync(join(bin, name), `#!/bin/sh\necho "${name} $*" >> ${noted}\nexit ${code}\n`)
  chmodSync(join(bin, name), 0o755)
  const environment = {
    ...process.env,
    npm_config_user_agent: undefined,
    PATH: `${bin}${delimiter}${process.env['PATH']}`,
  }
  return { environment, asked: () => (existsSync(noted) ? readFileSync(noted, 'utf8') : '') }
}

describe('rxauth init', () => {
  it('writes the files, the script and the test; a second time there is nothing to do', async () => {
    project(known)
    const first = await init()
    expect(first).toMatchObject({ code: 0, err: '' })
    const written = files()
    expect(Object.keys(written)).toEqual(
      expect.arrayContaining(['index.html', 'src/auth.ts', 'src/start.tsx', 'test/sign-in-test.mjs', 'vite.config.ts']),
    )
    expect(JSON.parse(read('package.json'))).toMatchObject({
      scripts: { dev: 'vite', 'dev:auth': 'rxauth dev -- npm run dev' },
    })
    for (const path of Object.keys(written)) if (path !== 'package.json') expect(first.out).toContain(`  ${path}\n`)
    expect(await init([])).toMatchObject({ code: 0, out: expect.stringContaining('Nothing to do') })
    expect(files()).toEqual(written)
  })

  // Promise: init-command
  it('leaves every file that exists as it is, and prints what it lacks', async () => {
    project(known)
    const own = {
      'src/auth.ts': 'export const mine = 1\n',
      'index.html': '<p>mine</p>',
      'src/Page.jsx': 'mine',
      'vite.config.mjs': 'export default {}',
    }
    for (const [path, text] of Object.entries(own)) put(path, text)
    const { code, out } = await init()
    expect(code).toBe(0)
    expect(files()).toMatchObject(own)
    expect(out).toContain('By hand: src/auth.ts exists and stays as it is.')
    expect(out).toContain('\n+ export const auth = createClientApp(')
    expect(out).toContain('By hand: src/Page.jsx exists')
    expect(Object.keys(files())).not.toEqual(expect.arrayContaining(['src/page.tsx']))
    expect(Object.keys(files())).not.toEqual(expect.arrayContaining(['vite.config.ts']))
    // The page has another name, since the first one is taken.
    expect(read('sign-in.html')).toContain('/src/start.tsx')
    expect(out).toContain('/sign-in')
  })

  // Promise: init-command
  it('changes nothing of package.json but the script', async () => {
    const text = `\uFEFF{\r\n\t"type": "module",\r\n\t"z": {"b":1,\r\n"a" :2},\r\n\t"scripts": {\r\n\t\t"dev": "vite"\r\n\t},\r\n\t"dependencies": ${JSON.stringify(Object.fromEntries(vue.map(name => [name, '*'])))}\r\n}`
    project(vue)
    put('package.json', text)
    await init()
    const script = ',\r\n\t\t"dev:auth": "rxauth dev -- npm run dev"'
    expect(read('package.json')).toBe(text.replace('"dev": "vite"', `"dev": "vite"${script}`))
  })

  it('refuses a React that rxauth does not run in', async () => {
    project(['vite', 'react', 'react-dom'])
    put('node_modules/react/package.json', '{ "version": "17.0.2" }')
    expect(await init()).toMatchObject({ code: 1, err: 'rxauth: the guide needs React 18, and this app has 17.0.2\n' })
  })

  it('refuses a Next.js that rxauth does not run in, and writes no file that hides a module of the app', async () => {
    project(['next', 'react', 'react-dom'])
    put('node_modules/next/package.json', '{ "version": "15.5.2" }')
    put('app/layout.tsx', 'mine')
    expect(await init()).toMatchObject({
      code: 1,
      err: 'rxauth: the guide needs Next.js 16, and this app has 15.5.2\n',
    })
    project(known)
    put('src/auth/index.ts', 'mine')
    expect(await init()).toMatchObject({ code: 0, out: expect.stringContaining('By hand: src/auth/index.ts exists') })
    expect(Object.keys(files())).not.toEqual(expect.arrayContaining(['src/auth.ts']))
  })

  it('keeps a script of that name, and one that starts a platform', async () => {
    for (const scripts of [{ 'dev:auth': 'mine' }, { dev: 'rxauth dev -- vite' }]) {
      project(vue, { scripts })
      const before = read('package.json')
      expect(await init()).toMatchObject({ code: 0 })
      expect(read('package.json')).toBe(before)
    }
  })

  // Promise: init-command
  it.each([
    ['y', 0],
    ['Yes ', 0],
    ['n', 1],
    ['', 1],
  ])('asks before it writes: %j', async (answer, code) => {
    project(vue)
    const before = files()
    const ask = async () => answer
    const said = await init([], { isInteractive: true, ask })
    expect(said.code).toBe(code)
    expect(existsSync(join(folder, 'src/auth.ts'))).toBe(code === 0)
    if (code === 1) expect([files(), said.out.endsWith('Nothing was written.\n')]).toEqual([before, true])
  })

  // Promise: init-command
  it('keeps what its user writes while it asks, and writes nothing where that changes what it would do', async () => {
    project(vue)
    const edit = (text: string) => async () => {
      put('package.json', read('package.json').replace('"name": "app"', text))
      return 'y'
    }
    expect(await init([], { isInteractive: true, ask: edit('"name": "mine"') })).toMatchObject({ code: 0 })
    expect(JSON.parse(read('package.json'))).toMatchObject({
      name: 'mine',
      scripts: { 'dev:auth': 'rxauth dev -- npm run dev' },
    })
    rmSync(join(folder, 'src'), { recursive: true })
    const ask = async () => {
      put('src/auth.ts', 'mine')
      return 'y'
    }
    expect(await init([], { isInteractive: true, ask })).toMatchObject({
      code: 1,
      err: 'rxauth: the files of this app have changed meanwhile, and nothing was written: run this again\n',
    })
    expect(readdirSync(join(folder, 'src'))).toEqual(['auth.ts'])
  })

  // Promise: init-command
  it('writes nothing without a terminal and --yes, and with --dry-run', async () => {
    project(vue)
    const before = files()
    expect(await init([])).toMatchObject({
      code: 2,
      err: 'rxauth: init asks before it writes, which needs a terminal: give --yes\n',
    })
    expect(await init(['--dry-run'])).toMatchObject({ code: 0, out: expect.stringContaining('src/auth.ts') })
    expect(await init(['--dry-run', '--yes'])).toMatchObject({ code: 0 })
    expect(files()).toEqual(before)
  })

  it.each([
    ['package-lock.json', 'npm', ['install rxauth rxjs', 'install --save-dev @vitejs/plugin-vue typescript']],
    ['pnpm-lock.yaml', 'pnpm', ['add rxauth rxjs', 'add -D @vitejs/plugin-vue typescript']],
    ['yarn.lock', 'yarn', ['add rxauth rxjs', 'add -D @vitejs/plugin-vue typescript']],
    ['bun.lock', 'bun', ['add rxauth rxjs', 'add -d @vitejs/plugin-vue typescript']],
  ])('installs what is missing, by %s of a folder above', async (lock, name, lines) => {
    put(lock, '')
    const root = folder
    folder = join(root, 'apps/web')
    project(['vue', 'vite'])
    put('tsconfig.json', '{}')
    const { environment, asked } = managerIn(0, name)
    expect(await init(['--yes'], { environment })).toMatchObject({ code: 0 })
    expect(asked()).toBe(lines.map(line => `${name} ${line}\n`).join(''))
    expect(read('package.json')).toContain(`"dev:auth": "rxauth dev -- ${name} run dev"`)
  })

  it('says what to run when the installation fails, after it has written the files', async () => {
    project(['vue', 'vite', 'typescript'])
    const { environment } = managerIn(7)
    expect(await init(['--yes'], { environment })).toMatchObject({
      code: 1,
      err: expect.stringContaining('Run:\n  npm install rxauth rxjs\n  npm install --save-dev @vitejs/plugin-vue\n'),
    })
    expect(existsSync(join(folder, 'src/auth.ts'))).toBe(true)
  })

  it('installs nothing anew that package.json has, unless it is not there', async () => {
    project(vue)
    rmSync(join(folder, 'node_modules'), { recursive: true })
    const { environment, asked } = managerIn(0)
    await init(['--yes'], { environment })
    expect(asked()).toBe('npm install\n')
  })

  it('makes a new app in an empty folder, with the command of the guide', async () => {
    const { environment, asked } = managerIn(0)
    expect(await init(['--yes', '--framework', 'solid'], { environment })).toMatchObject({ code: 0 })
    expect(JSON.parse(read('package.json'))).toEqual({
      private: true,
      type: 'module',
      scripts: {
        dev: 'vite',
        build: 'vite build',
        preview: 'vite preview',
        test: 'node --test',
        'dev:auth': 'rxauth dev -- npm run dev',
      },
    })
    expect(read('.gitignore').split('\n')).toEqual(expect.arrayContaining(['node_modules', 'dist', '']))
    expect(asked()).toContain('npm install solid-js rxauth rxjs\n')
    expect(existsSync(join(folder, 'src/start.tsx'))).toBe(true)
  })

  it.each([
    ['angular', { dev: 'ng serve', build: 'ng build' }],
    ['express', { dev: 'tsx watch server.ts', start: 'tsx server.ts' }],
    ['hono', { dev: 'tsx watch start.js', start: 'tsx start.js' }],
  ])('gives a new app of %s the scripts %j, and leaves a .gitignore as it is', async (framework, scripts) => {
    put('.gitignore', 'mine')
    const { code, out } = await init(['--yes', '--framework', framework])
    expect([code, out]).toEqual([0, expect.not.stringContaining('does not start')])
    expect(JSON.parse(read('package.json'))).toMatchObject({ scripts })
    for (const [name, text] of Object.entries(scripts)) expect(out).toContain(`  the script "${name}": ${text}\n`)
    expect(read('.gitignore')).toBe('mine')
  })

  // Promise: init-command
  it('makes a new app of ES modules where package.json does not tell, and leaves the type of an app that exists', async () => {
    const dependencies = { rxauth: '*', rxjs: '*' }
    put('package.json', `${JSON.stringify({ dependencies }, null, 2)}\n`)
    const { code, out } = await init(['--yes', '--framework', 'vite'])
    expect(code).toBe(0)
    expect(out).toContain(
      'Adds to package.json\n  "type": "module"\n  the script "dev:auth": rxauth dev -- vite\n\nRuns',
    )
    expect(read('package.json')).toBe(
      `${JSON.stringify({ dependencies, type: 'module', scripts: { 'dev:auth': 'rxauth dev -- vite' } }, null, 2)}\n`,
    )
    project(vue, { type: undefined })
    expect(await init()).toMatchObject({ code: 0, out: expect.not.stringContaining('"type"') })
    expect(JSON.parse(read('package.json'))).not.toHaveProperty('type')
  })

  it('has only the type to add where a script of that name is there', async () => {
    put('package.json', '{ "scripts": { "dev:auth": "rxauth dev -- vite" } }')
    const { out } = await init(['--yes', '--framework', 'vite'])
    expect(out).toContain('Adds to package.json\n  "type": "module"\n\n')
    expect(read('package.json')).toBe('{ "scripts": { "dev:auth": "rxauth dev -- vite" }, "type": "module" }')
  })

  // Promise: init-command
  it.each([
    ['next', 'next', 'npx create-next-app@latest my-app'],
    ['sveltekit', '@sveltejs/kit', 'npx sv create my-app'],
    ['react-router', '@react-router/dev', 'npx create-react-router@latest my-app'],
  ])('makes no app of %s, with or without a package.json, and says what does', async (framework, mark, create) => {
    const refused = async (reason: string) => {
      const before = files()
      const { code, err } = await init(['--yes', '--framework', framework])
      expect(code).toBe(2)
      expect(err).toMatch(`rxauth: ${reason}.\nMake an app, and run \`npx rxauth init\` in its folder:\n`)
      expect(err).toContain(`${create}\nOr have the whole app`)
      expect(files()).toEqual(before)
    }
    await refused('there is no package.json in this folder')
    project(['vite', 'svelte', 'react', 'rxauth', 'rxjs'])
    await refused(`package.json has no ${mark}`)
  })

  it.each(['vue', 'express'])(
    'says that a script which starts a platform stays as it is, in an app of %s',
    async framework => {
      for (const [name, text] of [
        ['dev:auth', 'mine'],
        ['dev', 'rxauth dev -- tsx watch server.ts'],
      ] as const) {
        project([...vue, 'express'], { scripts: { [name]: text } })
        const { out } = await init(['--yes', '--framework', framework])
        expect(out).toContain(`\nThe script "${name}" exists already, and stays as it is.\n`)
        expect(out.includes('To start both')).toBe(framework === 'express' && text === 'mine')
      }
    },
  )

  it.each([
    [{ 'dev:auth': 'rxauth dev -- vite' }, 'dev:auth', 'rxauth dev -- sh -c "tsx watch start.js & vite"'],
    [
      { dev: 'PORT=1 rxauth dev --data memory -- vite --mode "a b" -- x' },
      'dev',
      'rxauth dev --data memory -- sh -c "tsx watch start.js & vite --mode \\"a b\\" -- x"',
    ],
    [{ 'dev:auth': 'rxauth dev' }, 'dev:auth', 'rxauth dev -- tsx watch start.js'],
    [{ 'dev:auth': 'next dev' }, 'dev:auth', 'rxauth dev -- sh -c "tsx watch start.js & next dev"'],
    [{ dev: 'vite' }, 'dev:auth', 'rxauth dev -- sh -c "tsx watch start.js & npm run dev"'],
  ])('says what starts the server of Hono beside the page that %j starts', async (scripts, name, line) => {
    project([...known, 'hono'], { scripts })
    expect(await init(['--yes', '--framework', 'hono'])).toMatchObject({
      code: 0,
      out: expect.stringContaining(
        `\nThe script "${name}" does not start start.js. To start both ("Beside a page" of docs/guides/hono.md):\n  npx ${line}\n`,
      ),
    })
  })

  it.each([
    [{ 'dev:auth': 'rxauth dev -- npm run serve', serve: 'tsx watch start.js' }, []],
    [{ dev: 'tsx watch src/index.ts' }, ['hono']],
    [{}, []],
  ])('says nothing of that where %j starts a server, with %j', async (scripts, names) => {
    project([...names, 'rxauth', 'rxjs'], { scripts })
    const { code, out } = await init(['--yes', '--framework', 'hono'])
    expect([code, out]).toEqual([0, expect.not.stringContaining('does not start')])
  })

  it('says before the start how many files there are to change by hand', async () => {
    project(known)
    expect((await init(['--dry-run'])).out).not.toContain('First do')
    put('src/auth.ts', 'mine')
    expect((await init()).out).toContain('\nFirst do the step by hand above.\n\nStart it: ')
    rmSync(join(folder, 'test'), { recursive: true })
    put('src/page.tsx', 'mine')
    put('index.html', 'mine')
    expect((await init()).out).toContain('\nFirst do the 2 steps by hand above.\n\nStart it: ')
  })

  it('gives a plus to no empty line, nor to one with other quotes, indentation or a semicolon', async () => {
    project(known)
    await init()
    const guide = read('src/page.tsx')
    const formatted = guide
      .split('\n')
      .filter(line => line !== '')
      .map(line => `\t${line.trim().replaceAll("'", '"')};`)
    put('src/page.tsx', formatted.join('\r\n'))
    const whole = await init()
    expect(whole.out).toContain('\nLeaves as they are\n  src/page.tsx\n')
    expect(whole.out).not.toContain('By hand')
    put('src/page.tsx', formatted.slice(1).join('\n'))
    const marked = (await init()).out.split('\n').filter(line => line.startsWith('+'))
    expect(marked).toEqual([`+ ${guide.split('\n')[0]}`])
  })

  it.each([
    ['vite', ['vite', 'react'], '`Page` of `src/page.tsx`', 'in your `main.tsx`'],
    ['vue', ['vite', 'vue'], '`Page` of `src/Page.vue`', 'in your `App.vue`'],
    ['svelte', ['vite', 'svelte'], '`Page` of `src/Page.svelte`', 'in your `App.svelte`'],
    ['solid', ['vite', 'solid-js'], '`Page` of `src/page.tsx`', 'in your `App.tsx`'],
  ])('says how the page comes into an app of %s that has a first page', async (_, names, component, entry) => {
    project(names)
    put('index.html', 'mine')
    const { out } = await init()
    expect(out).toMatch(/\nTo have the page in your app, .*\.\n/)
    expect(out).toContain(component)
    expect(out).toContain(entry)
    expect(Object.keys(files())).toContain(/`(src\/.*)`/.exec(component)?.[1])
    expect(read('src/start.' + (names[1] === 'react' || names[1] === 'solid-js' ? 'tsx' : 'js'))).toContain(
      component.slice(1, component.indexOf('`', 1)),
    )
  })

  it('says in an empty folder how each framework makes an app', async () => {
    const { code, err } = await init()
    expect(code).toBe(2)
    expect(err).toMatch(/Next\.js +npx create-next-app@latest my-app\n/)
    expect(err).toContain(
      'rxauth init --framework vite, vue, svelte, solid, angular, express, hono, cloudflare-workers\n',
    )
    expect(files()).toEqual({})
  })

  it('names the folder above that has a package.json', async () => {
    project(vue)
    const root = folder
    folder = join(root, 'src')
    mkdirSync(folder)
    expect(await init()).toMatchObject({
      code: 2,
      err: expect.stringContaining(`The next one is in ${root}: run init there.`),
    })
  })
})

describe('an app of Cloudflare Workers', () => {
  // Promise: init-command
  it.each(['wrangler.jsonc', 'wrangler.json', 'wrangler.toml'])(
    'is told by %s, which stays, with what it lacks',
    async name => {
      project([], { scripts: {} })
      put(name, 'name = "app"\n')
      const { code, out } = await init()
      expect(code).toBe(0)
      expect(out).toContain('+   "compatibility_flags": ["nodejs_compat"],')
      expect(read(name)).toBe('name = "app"\n')
      expect(Object.keys(files()).filter(path => path.startsWith('wrangler'))).toEqual([name])
    },
  )

  // Promise: init-command
  it('gets the address of the local platform in .dev.vars, as a worker does not see the environment of `rxauth dev`', async () => {
    const { code } = await init(['--yes', '--framework', 'cloudflare-workers'])
    expect(code).toBe(0)
    expect(read('.dev.vars')).toContain('STACK_API_URL=http://localhost:8102\n')
    expect(read('.gitignore').split('\n')).toEqual(expect.arrayContaining(['.dev.vars', '.wrangler']))
    expect(JSON.parse(read('package.json'))).toMatchObject({
      scripts: { dev: 'wrangler dev', 'dev:auth': 'rxauth dev -- npm run dev', deploy: 'wrangler deploy' },
    })
    expect(read('src/index.ts')).toContain('export class Live')
  })
})

describe('the framework', () => {
  it.each([
    [
      ['vite', 'react', 'express'],
      'this package has Vite and React and Express: give --framework NAME, where NAME is one of vite, express\n',
    ],
    [
      ['webpack', 'react'],
      'package.json names no framework that has a guide: give --framework NAME, where NAME is one of vite, vue, svelte, solid, angular, express, hono, cloudflare-workers\n',
    ],
  ])('of %j has to be named', async (names, said) => {
    project(names)
    expect(await init()).toMatchObject({ code: 2, err: expect.stringContaining(said) })
    expect(await init(['--dry-run', '--framework', 'vite'])).toMatchObject({ code: 0 })
  })

  it('without a guide is refused by its name, although it has another one in it', async () => {
    project(['nuxt', 'vue', 'vite'])
    expect(await init()).toMatchObject({ code: 1, err: expect.stringContaining('this is an app of Nuxt') })
  })

  it.each([
    ['package.json', { workspaces: ['apps/*'] }],
    ['package.json', { workspaces: { packages: ['./apps/*', 'apps/web'] } }],
    ['pnpm-workspace.yaml', {}],
  ])('of the root of a monorepo is asked for in its packages, which are named: %s %j', async (where, more) => {
    project(vue, more)
    if (where !== 'package.json')
      put(where, 'packages:\n  # the apps\n  - "apps/*"\nonlyBuiltDependencies:\n  - esbuild\n')
    put('apps/web/package.json', '{ "dependencies": { "next": "16" } }')
    put('apps/api/package.json', '{ "dependencies": { "hono": "4" } }')
    put('apps/notes.txt', '')
    const { code, err } = await init()
    expect(code).toBe(2)
    expect(err.replaceAll('./', '')).toMatch(/apps\/api \(Hono\)\n {2}apps\/web \(Next\.js\)\n/)
    expect(await init(['--framework', 'vue', '--dry-run'])).toMatchObject({ code: 0 })
  })
})

describe('the app of the tests in a browser', () => {
  it.each(guided)('for %s is what init writes, beside what the tool of the framework has written', async framework => {
    const app = join(__dirname, '../../frameworks', framework)
    for (const entry of readdirSync(app, { recursive: true, withFileTypes: true }).filter(each => each.isFile())) {
      const path = join(entry.parentPath, entry.name)
      put(path.slice(app.length + 1), readFileSync(path, 'utf8'))
    }
    const { 'package.json': _ready, ...ready } = files()
    expect(await init(['--yes', '--framework', framework])).toMatchObject({ code: 0 })
    const { 'package.json': _own, 'test/sign-in-test.mjs': _test, ...written } = files()
    expect(written).toEqual({ ...ready, ...shownFiles(framework) })
  })
})

describe('an app of Next.js', () => {
  const next = ['next', 'react', 'react-dom', 'rxauth', 'rxjs', 'typescript', 'babel-plugin-react-compiler']
  const written = () => Object.keys(files()).filter(path => path !== 'package.json' && !path.startsWith('test/'))

  it.each(['', 'src/'])(
    'with a layout and a page of its own in %japp keeps both, and has a layout below',
    async place => {
      project(next)
      for (const name of ['layout', 'page']) put(`${place}app/${name}.tsx`, 'mine')
      const { code, out } = await init()
      expect([code, out]).toEqual([0, expect.not.stringContaining('By hand')])
      expect(files()).toMatchObject({ [`${place}app/layout.tsx`]: 'mine', [`${place}app/page.tsx`]: 'mine' })
      expect(files()[`${place}app/account/layout.tsx`]).toContain('<AuthState')
    },
  )

  it('with Cache Components has what their pages show first', async () => {
    project(next)
    put('next.config.ts', 'export default { cacheComponents: true, partialPrefetching: true }\n')
    expect(await init()).toMatchObject({ code: 0 })
    expect(written().filter(path => path.endsWith('loading.tsx'))).toHaveLength(5)
  })

  it('without a layout has one, and none below', async () => {
    project(next)
    expect(await init()).toMatchObject({ code: 0 })
    expect(files()['app/layout.tsx']).toContain('<AuthState')
    expect(written()).not.toContain('app/account/layout.tsx')
    expect(written().filter(path => path.endsWith('loading.tsx'))).toEqual([])
  })
})

describe('the test', () => {
  it.each([
    ['vitest', 'ts', "import { expect, test } from 'vitest'\n", 'npx vitest run src/sign-in.test.ts'],
    ['jest', 'ts', "import { expect, test } from '@jest/globals'\n", 'npx jest src/sign-in.test.ts'],
    ['jest', 'js', "import { expect, test } from '@jest/globals'\n", 'npx jest src/sign-in.test.js'],
  ])('is for %s, in %s', async (runner, ending, head, command) => {
    project([...vue.filter(name => name !== 'typescript'), runner, ...(ending === 'ts' ? ['typescript'] : [])])
    expect(await init()).toMatchObject({ code: 0, out: expect.stringContaining(command) })
    expect(read(`src/sign-in.test.${ending}`).startsWith(head)).toBe(true)
    expect(existsSync(join(folder, 'jest.config.cjs'))).toBe(runner === 'jest')
  })
})

/** The scripts that `npm init` writes. */
const scripts = { test: 'echo "Error: no test specified" && exit 1' }

// Promise: init-command
it('makes an app of modules of what npm init has written, which says CommonJS', async () => {
  project(['express', 'rxauth', 'rxjs'], { type: 'commonjs', main: 'index.js', scripts })
  const before = read('package.json')
  put('.gitignore', 'node_modules')
  put('README.md', '# App')
  const { code, out } = await init()
  expect(code).toBe(0)
  expect(out).toContain(`Adds to package.json\n  "type": "module", in the place of "commonjs"\n  the script "dev:auth"`)
  const [changed, whole] = [read('package.json'), JSON.parse(read('package.json')) as { scripts: object }]
  expect(whole).toMatchObject({
    type: 'module',
    main: 'index.js',
    scripts: { ...scripts, 'dev:auth': expect.any(String) },
  })
  expect(changed.split('\n').length).toBe(before.split('\n').length + 1)
})

describe('refuses, and writes nothing:', () => {
  const refused = async (said: string, args = ['--yes']) => {
    const before = files()
    expect(await init(args)).toMatchObject({ code: 1, err: expect.stringContaining(said) })
    expect(files()).toEqual(before)
  }

  it.each(['index.js', 'lib/index.txt'])('CommonJS, in an app with %s', async path => {
    project(vue, { type: 'commonjs', scripts })
    put(path, '')
    await refused('run `npm pkg set type=module`')
  })

  it('CommonJS, in an app with a script of its own', async () => {
    project(vue, { type: 'commonjs' })
    await refused('run `npm pkg set type=module`')
  })

  // Promise: init-command
  it('a link out of the folder', async () => {
    project(vue)
    const elsewhere = terminal().io.folder
    symlinkSync(elsewhere, join(folder, 'src'))
    await refused('src is a link to a folder outside of this one')
    expect(readdirSync(elsewhere)).toEqual([])
  })

  it('a link to nothing', async () => {
    project(vue)
    symlinkSync(join(folder, 'gone'), join(folder, 'src'))
    await refused('src is a link to a folder that does not exist')
  })

  it('a package.json that is a link out of the folder', async () => {
    project(vue)
    const elsewhere = join(terminal().io.folder, 'package.json')
    writeFileSync(elsewhere, read('package.json'))
    rmSync(join(folder, 'package.json'))
    symlinkSync(elsewhere, join(folder, 'package.json'))
    await refused('package.json is a link to a file outside of this folder')
    expect(readFileSync(elsewhere, 'utf8')).not.toContain('dev:auth')
  })

  it('a file where a folder has to be', async () => {
    project(vue)
    put('src', 'mine')
    await refused('src is no folder')
  })

  it('an old Node', async () => {
    for (const version of ['18.20.4', '20.18.3'])
      await expect(
        initApp({ framework: undefined, isDryRun: false, isSure: true }, terminal({ folder }).io, version),
      ).rejects.toThrow(`rxauth needs Node 20.19 or newer, and this is ${version}`)
  })

  it('a second one while the first one writes its mark, until that is too long ago', async () => {
    project(vue)
    const name = createHash('sha256').update(realpathSync(folder)).digest('hex').slice(0, 16)
    const mark = join(tmpdir(), `rxauth-init-${name}`)
    writeFileSync(mark, '')
    await refused('another rxauth init or add is at work in this folder')
    expect(existsSync(mark)).toBe(true)
    utimesSync(mark, 0, 0)
    expect(await init()).toMatchObject({ code: 0 })
    expect(existsSync(mark)).toBe(false)
  })

  // Promise: init-command
  it('a second one at the same time', async () => {
    project(['vue', 'vite', 'typescript', '@vitejs/plugin-vue'])
    const other = `${folder}/other.txt`
    const { environment } = managerIn(0)
    const bin = environment['PATH']!.split(delimiter)[0]!
    // The first one installs until the second one has ended.
    writeFileSync(join(bin, 'npm'), `#!/bin/sh\necho started > ${other}\nwhile [ -e ${other} ]; do sleep 0.02; done\n`)
    const first = init(['--yes'], { environment })
    while (!existsSync(other)) await new Promise(resolve => setTimeout(resolve, 5))
    expect(await init(['--yes'], { environment })).toMatchObject({
      code: 1,
      err: expect.stringContaining('is at work in this folder'),
    })
    rmSync(other)
    expect(await first).toMatchObject({ code: 0 })
    rmSync(join(folder, 'src'), { recursive: true })
    writeFileSync(join(bin, 'npm'), '#!/bin/sh\n')
    expect(await init(['--yes'], { environment })).toMatchObject({ code: 0 })
  })
})
