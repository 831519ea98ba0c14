import { nearest } from '../../src/core/nearest'

const known = ['port', 'host', 'passkeyEnabled', 'seed', 'data']

it.each([
  ['prot', 'port'],
  ['PORT', 'port'],
  ['hots', 'host'],
  ['passkeyEnable', 'passkeyEnabled'],
  ['paskeyEnabeld', 'passkeyEnabled'],
  ['sede', 'seed'],
  ['x', undefined],
  ['nothing', undefined],
  ['da', 'data'],
])('"%s" is most like %s', (text, meant) => {
  expect(nearest(text, known)).toBe(meant)
})

it('a swap is one step, as a change is', () => {
  // Two changes away from the first, one swap away from the second.
  expect(nearest('abdc', ['abxy', 'abcd'])).toBe('abcd')
  expect(nearest('abcde', ['abcdefgh', 'abxyz'])).toBeUndefined()
})

// Half of the characters may differ, but not one more.
it.each([
  ['puts in', 'abcd', 'abcdxy', 'abcdxyz'],
  ['leaves out', 'abcdef', 'abc', 'ab'],
  ['replaces', 'abcd', 'abxy', 'axyz'],
  ['swaps', 'abcdef', 'badcfe', 'badcfe-'],
])('each character that a typing error %s is one step', (_, text, near, far) => {
  expect([nearest(text, [near]), nearest(text, [far])]).toEqual([near, undefined])
})
