import { execFileSync } from 'node:child_process'
import { build } from 'esbuild'
import { root } from './sources'

const app = `
import { createPlatform } from './dist/platform.js'
const condition = 'email.endsWith("@evil.example") || riskScores.bot + 1 > 100'
const config = { signUpRules: [{ condition, action: 'reject' }] }
const platform = createPlatform({ wire: '2.8.86', seed: { project: { config } } })
const { baseUrl, projectId, publishableClientKey } = platform.options
const headers = {
  'content-type': 'application/json',
  'x-stack-access-type': 'client',
  'x-stack-project-id': projectId,
  'x-stack-publishable-client-key': publishableClientKey,
}
for (const email of ['eve@evil.example', 'ada@example.com']) {
  const body = JSON.stringify({ email, password: 'correct horse', verification_callback_url: 'http://localhost/' })
  const sent = new Request(baseUrl + '/api/v1/auth/password/sign-up', { method: 'POST', headers, body })
  console.log((await platform.fetch(sent)).status)
}
platform.dispose()
`

it('an app bundle with the platform in it evaluates conditions: the bundler keeps every call of their library', async () => {
  const { outputFiles } = await build({
    stdin: { contents: app, resolveDir: root },
    bundle: true,
    format: 'esm',
    minify: true,
    define: { 'process.env.NODE_ENV': '"development"' },
    write: false,
  })
  const said = execFileSync(process.execPath, ['--input-type=module'], {
    input: outputFiles[0]?.text ?? '',
    encoding: 'utf8',
  })
  expect(said.trim().split('\n')).toEqual(['403', '200'])
})
