import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'

const root = join(__dirname, '../..')
const program = `
import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { build } from './react/example/server/build-steps.mjs'
const [folder] = process.argv.slice(1)
const [source, output] = [folder + '/source/a.txt', folder + '/output.txt']
mkdirSync(folder + '/source')
const done = []
const step = (work = () => writeFileSync(output, 'built')) => {
  let isDone = false
  const inputs = [folder + '/source', 'package.json']
  const tried = build({ title: folder, inputs, outputs: [output], work: () => { isDone = true; return work() } })
  return tried.then(() => done.push(isDone), error => done.push(error.message))
}
writeFileSync(source, 'one')
await step()
await step()
utimesSync(source, 1, 1)
await step()
writeFileSync(source, 'two')
await step(() => { throw new Error('broken') })
await step()
utimesSync(output, 2, 2)
await step()
rmSync(output)
await step()
await step()
console.log('\\n' + JSON.stringify(done))
`

it('a step is done again if its inputs or its outputs have changed, and after a failure', () => {
  mkdirSync(join(root, '.tmp'), { recursive: true })
  const folder = mkdtempSync(join(root, '.tmp/build-steps-'))
  try {
    const options = ['--input-type=module', '--eval', program, '--', relative(root, folder)]
    const lines = execFileSync(process.execPath, options, { cwd: root, encoding: 'utf8' }).trim().split('\n')
    expect(JSON.parse(lines.at(-1)!)).toEqual([true, false, false, 'broken', true, true, true, false])
  } finally {
    rmSync(folder, { recursive: true })
  }
})

it('the page is prepared anew after another build of the kit, and not for the console that is built beside it', () => {
  mkdirSync(join(root, '.tmp'), { recursive: true })
  const folder = mkdtempSync(join(root, '.tmp/built-'))
  const hashes = `
    import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
    import { hashOfBuild } from './react/example/vite.config.mjs'
    const [folder] = process.argv.slice(1)
    const hashes = []
    const note = () => hashes.push(hashOfBuild(folder))
    mkdirSync(folder + '/console/console', { recursive: true })
    writeFileSync(folder + '/index.js', 'one')
    writeFileSync(folder + '/console/console/index.js', 'one')
    note()
    rmSync(folder + '/console', { recursive: true })
    note()
    writeFileSync(folder + '/index.js', 'two')
    note()
    console.log(JSON.stringify(hashes))`
  try {
    const options = ['--input-type=module', '--eval', hashes, '--', relative(root, folder)]
    const [first, withoutConsole, other] = JSON.parse(
      execFileSync(process.execPath, options, { cwd: root, encoding: 'utf8' }),
    ) as string[]
    expect(withoutConsole).toBe(first)
    expect(other).not.toBe(first)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
