import { readFileSync, writeFileSync } from 'node:fs'
import { runs } from '../runs'
import { methods } from './access/methods'
import { reportFile, reportOf, testedIn, testedLine, update } from './access/report'
import { visitor } from './access/visitor'
import { ways } from './access/ways'
import { otherPerson, running, useExample } from './stage'

useExample()

const isWriting = Boolean(process.env['RXAUTH_WRITE'])
const cases = methods.flatMap((method, row) =>
  ways.map((way, column) => ({
    method,
    way,
    name: `${method.name} × ${way.name}`,
    isInEachRun: row === column,
  })),
)
const few = cases.filter(({ isInEachRun }) => isInEachRun)
const passed = new Set<string>()
let browser = ''

describe('the screens of signing in', () => {
  // Promise: accessible-screens
  it.each(isWriting ? cases : runs(few, cases))('$name', async ({ method, way, name }) => {
    const blank = await otherPerson(way.options)
    browser = `Chromium ${blank.context().browser()!.version()}`
    await method.run(await visitor(blank.context(), running, way))
    passed.add(name)
  })

  // Promise: accessible-screens
  it('are in each run in every way', () => {
    expect(new Set(few.map(({ way }) => way))).toEqual(new Set(ways))
  })

  it(`are in docs/accessibility.md with these cases; to write it anew: ${update}`, () => {
    const written = { methods, ways }
    if (isWriting) {
      const hasPassed = (method: { name: string }, way: { name: string }) => passed.has(`${method.name} × ${way.name}`)
      writeFileSync(reportFile, reportOf({ ...written, tested: testedIn(browser), hasPassed }))
    }
    const page = readFileSync(reportFile, 'utf8')
    const [tested = ''] = testedLine.exec(page) ?? []
    const [line = ''] = /^Tested on .*? by axe-core \S+\d\./.exec(tested) ?? []
    expect(page).toBe(reportOf({ ...written, tested: line, hasPassed: () => true }))
  })
})
