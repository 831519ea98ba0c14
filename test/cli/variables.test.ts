import { folderWith, start } from './developed'

describe('rxauth dev', () => {
  it.each([
    [{}, ''],
    [{ devDependencies: { vite: '8' } }, 'VITE_'],
    [{ dependencies: { next: '16' }, devDependencies: { vite: '8' } }, 'NEXT_PUBLIC_'],
  ])('prints the lines for .env as the bundler of %j wants them', async (manifest, prefix) => {
    const folder = folderWith(manifest, 'package.json')
    const { out, url } = await start([], { folder })
    expect(out()).toContain(`\n  ${prefix}STACK_API_URL=${url}\n`)
    expect(out()).toMatch(/\n {2}STACK_SECRET_SERVER_KEY=ssk_/)
  })
})
