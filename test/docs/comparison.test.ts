import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock } from 'rxauth'
import sources from '../../docs/comparison.sources.json'
import { itInLong } from '../runs'
import { root } from './blocks'

/** The package of each row, and of each point of a list, by the heading above it. */
function rowsOf(text: string): Record<string, string[]> {
  const rows = text.split(/^#+ /m).map(part => {
    const names = [...part.matchAll(/^(?:\| (?!Package|-)(.*?) +\||- \*\*(.*?)\*\*)/gm)].map(
      ([, row, point]) => row ?? point!,
    )
    return [/.*/.exec(part)![0], names.map(name => name.replace(/^\[(.*)\]\(.*/, '$1').replaceAll('`', ''))] as const
  })
  return Object.fromEntries(rows.filter(([, names]) => names.length > 0))
}

const rows = rowsOf(readFileSync(join(root, 'docs/comparison.md'), 'utf8'))
const known = Object.entries(sources).flatMap(([heading, ofRows]) =>
  Object.entries<{ readonly date: string; readonly source: string }>(ofRows).map(
    ([name, { date, source }]) => [`${heading}: ${name}`, date, source] as const,
  ),
)

describe('the comparison with other packages', () => {
  // Promise: comparison-sourced
  it('has a source for each row of its tables, and for no other', () => {
    expect(rows['The client']).toContain('@stackframe/js')
    expect(Object.fromEntries(Object.entries(sources).map(([heading, of]) => [heading, Object.keys(of)]))).toEqual(rows)
  })

  // Promise: comparison-sourced
  it('has a text for each source, and a date', () => {
    const isDate = (text: string) => /^\d{4}-\d\d-\d\d$/.test(text) && !isNaN(Date.parse(text))
    expect(known.filter(([, date, source]) => source.trim() === '' || !isDate(date))).toEqual([])
  })

  // At night only: a change must not fail because of its day.
  itInLong('was looked up within the last 90 days', () => {
    const oldest = new Date(systemClock.now() - 90 * 86_400_000).toISOString().slice(0, 10)
    expect(known.filter(([, date]) => date < oldest).map(([row, date]) => `${row} (${date})`)).toEqual([])
  })
})
