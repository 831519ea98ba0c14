import { createKit, memoryTokens, type Host } from 'rxauth'
import { parseNote, tabNote } from '../../../src/store/tabs/tab-notes'
import { tabStorage } from '../../tab-storage'

const name = { of: 'test' }

/** Session storage of one tab; `broken`: the methods that fail. */
function tab(broken: readonly ('getItem' | 'setItem' | 'removeItem')[] = []) {
  const refuse = () => {
    throw new Error('QuotaExceededError')
  }
  return { ...tabStorage(), ...Object.fromEntries(broken.map(method => [method, refuse])) }
}

/** A page: the note of a kit of its own. */
function page(sessionStorage?: Host['sessionStorage'], projectId = 'p', of: { readonly of: string } = name) {
  const kit = createKit({
    baseUrl: 'http://localhost:8102',
    projectId,
    publishableClientKey: 'k',
    tokens: memoryTokens(),
    host: sessionStorage ? { sessionStorage } : {},
  })
  return { kit, note: tabNote(kit, of) }
}

describe('the note of a tab', () => {
  it('is empty at first', () => {
    expect([page().note.read(), page(tab()).note.read()]).toEqual([null, null])
  })

  it('survives a reload of the tab, and no other tab sees it', () => {
    const storage = tab()
    page(storage).note.write('hello')
    expect(page(storage).note.read()).toBe('hello')
    expect(page(tab()).note.read()).toBeNull()
  })

  it('is the same wherever a kit asks for it', () => {
    const { kit, note } = page()
    note.write('hello')
    expect(tabNote(kit, name).read()).toBe('hello')
    expect(tabNote(kit, name)).toBe(note)
  })

  it('is removed, also from the storage', () => {
    const storage = tab()
    const { note } = page(storage)
    note.write('hello')
    expect(storage.items.size).toBe(1)
    note.write(null)
    expect([note.read(), storage.items.size]).toEqual([null, 0])
  })

  it('is gone when other code has cleared the storage', () => {
    const storage = tab()
    const { note } = page(storage)
    note.write('hello')
    storage.items.clear()
    expect(note.read()).toBeNull()
  })

  it('is separate from notes of other names and projects', () => {
    const storage = tab()
    page(storage).note.write('hello')
    expect(page(storage, 'q').note.read()).toBeNull()
    expect(page(storage, 'p', { of: 'other' }).note.read()).toBeNull()
    expect([...storage.items.keys()]).toEqual(['rxauth-test-p'])
  })

  it('is in memory where there is no session storage, for as long as the page lives', () => {
    const { note } = page()
    note.write('hello')
    expect(note.read()).toBe('hello')
    expect(page().note.read()).toBeNull()
    note.write(null)
    expect(note.read()).toBeNull()
  })

  it.each<[string, ('getItem' | 'setItem')[]]>([
    ['is full', ['setItem']],
    ['forbids everything', ['getItem', 'setItem']],
    ['can be written and not read', ['getItem']],
  ])('is in memory where the session storage %s', (_, broken) => {
    const { note } = page(tab(broken))
    expect(note.read()).toBeNull()
    note.write('hello')
    expect(note.read()).toBe('hello')
    note.write(null)
    expect(note.read()).toBeNull()
  })

  it('returns the last text written, although the storage keeps the one before', () => {
    const broken: 'setItem'[] = []
    const storage = tab(broken)
    const { note } = page(storage)
    note.write('old')
    broken.push('setItem')
    note.write('new')
    expect(note.read()).toBe('new')
    broken.length = 0
    note.write('newest')
    expect([note.read(), page(storage).note.read()]).toEqual(['newest', 'newest'])
    storage.items.clear()
    expect(note.read()).toBeNull()
  })

  it('that cannot be removed is gone for this page', () => {
    const { note } = page(tab(['removeItem']))
    note.write('hello')
    note.write(null)
    expect(note.read()).toBeNull()
  })
})

describe('the content of a note', () => {
  it.each([
    [null, undefined],
    ['', undefined],
    ['{"half":', undefined],
    ['hello', undefined],
    ['null', null],
    ['{"a":[1]}', { a: [1] }],
  ])('%j is %j', (text, value) => {
    expect(parseNote(text)).toEqual(value)
  })
})
