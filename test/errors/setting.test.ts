import { setting, settingOf, settingsOf, variableOf } from '../../src/errors/setting'

const blanks = [' ', '\n', '\r\n', '\t', '\u200B', '\uFEFF', '\u00A0', '\u2028', ' \u200B\n ']

const invalid = (reason: RegExp) =>
  expect.objectContaining({
    code: 'INVALID_INPUT',
    details: { field: 'key', reason: expect.stringMatching(reason) as string },
    message: expect.not.stringContaining('hunter2') as string,
  }) as Error

describe('a setting', () => {
  it.each(blanks)('loses %j at its ends', blank => {
    expect(setting('key', `${blank}hunter2${blank}`)).toBe('hunter2')
    expect(setting('key', `hunter2${blank}`)).toBe('hunter2')
    expect(setting('key', blank)).toBe('')
  })

  it.each([
    [' ', 'a space'],
    ['\n', 'a line break'],
    ['\r\n', 'a line break'],
    ['\t', 'a tab'],
    ['\u200B', 'U\\+200B'],
    ['\uFEFF', 'U\\+FEFF'],
    ['\u00A0', 'U\\+00A0'],
    ['\u2028', 'U\\+2028'],
    ['\uD800', 'U\\+D800'],
  ])('with %j inside is refused, and the character is named', (blank, name) => {
    expect(() => setting('key', `hunter2${blank}hunter2`)).toThrow(invalid(new RegExp(`^has ${name} inside`)))
  })

  it.each(['"hunter2"', "'hunter2'", '`hunter2`', '"hunter2', "hunter2'", ' "hunter2"\n', '""', '"'])(
    'in quotes is refused: %s',
    text => {
      expect(() => setting('key', text)).toThrow(invalid(/^is in quotes/))
    },
  )

  it.each([
    [undefined, 'undefined'],
    [null, 'null'],
    [5, 'number'],
    [{}, 'object'],
  ])('is no text: %j', (given, kind) => {
    expect(() => setting('key', given)).toThrow(invalid(new RegExp(`not ${kind}; an environment variable`)))
  })

  it('may have a quote inside', () => {
    expect(setting('key', "o'hara")).toBe("o'hara")
  })
})

describe('the first setting', () => {
  it('is the option, else the first variable that is not blank', () => {
    expect(settingOf('key', ' a ', ['A', () => 'b'])).toBe('a')
    const unset = [
      ['A', () => undefined],
      ['B', () => ' \u200B'],
      ['C', () => Reflect.get(undefined as never, 'env') as string],
    ] as const
    expect(settingOf('key', ' ', ...unset, ['D', () => ' b\n'], ['E', () => 'hunter2 hunter2'])).toBe('b')
    expect(settingOf('key', undefined, ...unset)).toBe('')
    expect(settingOf('key', null)).toBe('')
  })

  it('is refused if a variable has a blank inside', () => {
    expect(() => settingOf('key', '', ['A', () => 'hunter2 hunter2'])).toThrow(invalid(/a space/))
    expect(() => settingOf('key', 5)).toThrow(invalid(/not number/))
    expect(() => settingOf('key', '', ['A', () => 5 as never])).toThrow(invalid(/not number/))
  })
})

describe('variables of both names of the platform', () => {
  const warn = jest.spyOn(console, 'warn').mockImplementation(() => undefined)
  beforeEach(() => warn.mockClear())
  afterAll(() => {
    warn.mockRestore()
  })

  const used = (values: Readonly<Record<string, string>>) =>
    variableOf(Object.entries(values).map(([name, value]) => [name, () => value]))?.[0]
  const said = () => warn.mock.calls.map(([text]) => text as string)

  it('that differ are named once, without their values', () => {
    const values = { NEXT_PUBLIC_HEXCLAVE_A: 'hunter2', NEXT_PUBLIC_STACK_A: 'hunter3' }
    expect([used(values), used(values)]).toEqual(['NEXT_PUBLIC_HEXCLAVE_A', 'NEXT_PUBLIC_HEXCLAVE_A'])
    expect(said()).toEqual([
      expect.stringContaining('NEXT_PUBLIC_HEXCLAVE_A and NEXT_PUBLIC_STACK_A differ; NEXT_PUBLIC_HEXCLAVE_A is used'),
    ])
    expect(said().join('')).not.toContain('hunter')
    used({ NEXT_PUBLIC_HEXCLAVE_API_URL: 'a', NEXT_PUBLIC_SERVER_STACK_API_URL: 'b', STACK_API_URL: 'c' })
    used({ HEXCLAVE_B: 'a', NEXT_PUBLIC_STACK_B: 'b', STACK_B: 'c' })
    expect(said().slice(1)).toEqual([
      expect.stringContaining('NEXT_PUBLIC_HEXCLAVE_API_URL and NEXT_PUBLIC_SERVER_STACK_API_URL differ'),
      expect.stringContaining('HEXCLAVE_B and STACK_B differ'),
    ])
  })

  it.each([
    { HEXCLAVE_C: 'a', STACK_C: ' a\n' },
    { HEXCLAVE_C: ' ', STACK_C: 'b' },
    { HEXCLAVE_C: 'a', STACK_C: ' ' },
    { HEXCLAVE_C: 'a', NEXT_PUBLIC_STACK_C: 'b', VITE_STACK_C: 'c' },
    { NEXT_PUBLIC_STACK_C: 'b', HEXCLAVE_C: 'a', STACK_C: 'c' },
  ])('that agree, or of which one is not used, are not named: %j', values => {
    used(values)
    expect(said()).toEqual([])
  })
})

describe('the settings of a list', () => {
  it('are each a setting, without those that are empty', () => {
    expect(settingsOf('key', [' a', '', ' ', 'b\n'])).toEqual(['a', 'b'])
    expect(settingsOf('key', undefined)).toEqual([])
    expect(settingsOf('key', null)).toEqual([])
  })

  // eslint-disable-next-line no-sparse-arrays -- a hole is undefined too
  it.each([[[undefined]], [[null]], [[5]], [['a', undefined]], [[,]]])('are all texts: %j', list => {
    expect(() => settingsOf('key', list)).toThrow(invalid(/takes text, not (undefined|null|number)/))
  })

  it.each(['hunter2', 5, { 0: 'a' }])('are a list: %j', list => {
    expect(() => settingsOf('key', list)).toThrow(invalid(/list/))
  })
})
