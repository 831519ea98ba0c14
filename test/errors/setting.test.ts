import { setting, settingOf, settingsOf } from '../../src/errors/setting'

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
  const none = () => undefined

  it('is the option, else the first variable that is not blank', () => {
    const unread = jest.fn(none)
    expect(settingOf('key', ' a ', unread)).toBe('a')
    expect(
      settingOf(
        'key',
        ' ',
        none,
        () => ' \u200B',
        () => ' b\n',
        unread,
      ),
    ).toBe('b')
    expect(unread).not.toHaveBeenCalled()
    expect(settingOf('key', undefined, none)).toBe('')
    expect(settingOf('key', null)).toBe('')
  })

  it('is refused if a variable has a blank inside', () => {
    expect(() => settingOf('key', '', () => 'hunter2 hunter2')).toThrow(invalid(/a space/))
    expect(() => settingOf('key', 5)).toThrow(invalid(/not number/))
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
