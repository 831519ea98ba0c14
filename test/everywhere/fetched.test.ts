import { inTime, output } from './fetched'
import { wantRuns } from './programs'

const node = (script: string, millis?: number) => output(process.execPath, ['-e', script], __dirname, millis)

describe('a program that a place runs', () => {
  it('is killed if it does not end', async () => {
    const running = node(`process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)`, 300)
    await expect(running).rejects.toThrow('node does not end within 0.3 seconds, having printed ""')
  })

  it('is killed with what it has started, which would keep its output open', async () => {
    const worker = `process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' }`
    const running = node(`require('node:child_process').spawnSync(${worker})`, 2000)
    await expect(running).rejects.toThrow('node does not end within 2 seconds, having printed ""')
  })

  it('is told of with the signal that ended it, and what it has printed', async () => {
    const running = node(`console.log('a word'); process.kill(process.pid, 'SIGILL'); setInterval(() => {}, 1000)`)
    await expect(running).rejects.toThrow('node is ended by SIGILL, having printed "a word"')
  })

  it('names its error, and not the path or the line of the source before it', async () => {
    const printed = ['file:///app/errors/index.js:3', '  throw kitError("error: no")', '', 'TypeError: no such thing']
    const running = node(`console.error(${JSON.stringify(printed.join('\n'))}); process.exit(1)`)
    await expect(running).rejects.toThrow(/^TypeError: no such thing$/)
  })

  it('that ends early without a word did not run', () => {
    expect(() => {
      wantRuns('')
    }).toThrow('it ended and printed nothing')
  })

  it('of a realm has a limit too', async () => {
    await expect(inTime('the program', new Promise(() => undefined), 10)).rejects.toThrow(
      'the program does not end within 0.01 seconds',
    )
  })
})
