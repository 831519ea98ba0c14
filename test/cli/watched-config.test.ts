import { reloading } from '../../src/cli/settings'
import type { LoadedConfig } from '../../src/cli/config-file'

const loaded = (port: number): LoadedConfig => ({ file: '/shop/c.json', config: { port } })

/** The notes after several changes of a file that says port 1; an error stands for a file that cannot be loaded. */
async function changed(...files: readonly (LoadedConfig | Error)[]): Promise<string[]> {
  const left = [...files]
  const steps: string[] = []
  await new Promise<void>(resolve => {
    const reload = reloading(loaded(1), {
      async load() {
        const next = left.shift()
        if (next instanceof Error) throw next
        return next!
      },
      async apply(before, after) {
        steps.push(`from ${before.port} to ${after.port}`)
        await Promise.resolve()
        steps.push(`at ${after.port}`)
        return after.port === 3 ? ['port takes effect later', 'so does host'] : []
      },
      say(text) {
        steps.push(text)
        if (left.length === 0) resolve()
      },
    })
    files.forEach(() => reload())
  })
  return steps
}

const applied = 'the configuration has changed and was applied'

describe('a configuration that is changed while the platform runs', () => {
  it('applies one change after the other, and prints the notes of each', async () => {
    expect(await changed(loaded(2), loaded(3))).toEqual([
      ...['from 1 to 2', 'at 2', applied],
      ...['from 2 to 3', 'at 3', `${applied}; port takes effect later; so does host`],
    ])
  })

  it('stays in effect while the new file cannot be loaded', async () => {
    expect(await changed(new Error('no JSON'), loaded(2))).toEqual([
      'no JSON\nThe previous configuration stays in effect.',
      ...['from 1 to 2', 'at 2', applied],
    ])
  })
})
