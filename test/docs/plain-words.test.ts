import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import words from '../lint/refused-words.json'
import { root } from './blocks'
import { pagesOfDocs } from './links'

// Generated from the sources, which ESLint checks.
const generated = 'docs/contributing/api-report/'

const pages = ['', '.changeset']
  .flatMap(folder => readdirSync(join(root, folder)).map(name => join(folder, name)))
  .filter(page => page.endsWith('.md'))
  .concat(pagesOfDocs().filter(page => !page.startsWith(generated)))
  .sort()
const refused = new RegExp(`\\b(?:${words.join('|').replaceAll(' ', '\\s+')})\\b`, 'gi')

describe('the words of a page', () => {
  it.each(pages)('are none of the refused ones in %s', page => {
    expect(readFileSync(join(root, page), 'utf8').match(refused) ?? []).toEqual([])
  })

  it('are checked in the README, the guides and the notes of changes', () => {
    expect(pages).toEqual(expect.arrayContaining(['README.md', 'docs/getting-started.md', 'docs/stores.md']))
    const text = words.map(word => word.replace(' ', '\n').toUpperCase()).join(', ')
    expect(text.match(refused)).toHaveLength(words.length)
  })
})
