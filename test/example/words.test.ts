import { isValidElement, type ReactNode } from 'react'
import { de } from '../../react/example/words/de'
import { en } from '../../react/example/words/en'

type Text = string | ((...values: never[]) => unknown)

/** Each text by its path: `team.switcher.none`. */
function textsOf(words: object, start = ''): Map<string, Text> {
  return new Map(
    Object.entries(words).flatMap(([name, word]: [string, Text | object]): [string, Text][] =>
      typeof word === 'object' ? [...textsOf(word, `${start}${name}.`)] : [[start + name, word]],
    ),
  )
}

/** The text of a sentence with elements in it. */
function plain(node: ReactNode): string {
  if (Array.isArray(node)) return node.map(plain).join('')
  if (isValidElement<{ readonly children?: ReactNode }>(node)) return plain(node.props.children)
  return typeof node === 'string' || typeof node === 'number' ? String(node) : ''
}

/** What a function makes of these values. */
const filled = (text: Text, values: readonly unknown[]) =>
  typeof text === 'string' ? text : plain(text(...(values as never[])) as ReactNode)

const markers = ['⟦1⟧', '⟦2⟧', '⟦3⟧']
const [english, german] = [textsOf(en), textsOf(de)]
/** A text that is made of an error chooses what of it is shown. */
const ours = [...english].flatMap(([path, text]) =>
  path.startsWith('errors.') && typeof text === 'function' ? [] : [path],
)

/** Names, and words that both languages have. */
const same = [
  'account.security.passkey',
  'team.choose.title',
  'team.members.roles.team_admin',
  'team.switcher.label',
  'ui.code',
  'ui.emailExample',
]
/** Their values are shown in another way, or choose between texts. */
const choosing = /^(ui\.lastKnown|pages\.verifyFirst\.text|shell\.invitations)$/

it.each([
  ['English', english],
  ['German', german],
])('no %s text is empty or has spaces at its ends', (_, texts) => {
  expect(texts.size).toBeGreaterThan(300)
  const wrong = [...texts].filter(([, text]) => typeof text === 'string' && (text === '' || text !== text.trim()))
  expect(wrong).toEqual([])
})

it('every text is in both languages, and differs but for names', () => {
  expect([...german.keys()].sort()).toEqual([...english.keys()].sort())
  const alike = ours.filter(path => {
    const [text, translated] = [english.get(path)!, german.get(path)!].map(each => filled(each, markers))
    return text === translated
  })
  expect(alike.sort()).toEqual(same)
})

it('texts take as many values in both languages, and show each of them', () => {
  const wrong = ours.filter(path => {
    const [text, translated] = [english.get(path)!, german.get(path)!]
    if (typeof text === 'string' || typeof translated === 'string') return typeof text !== typeof translated
    const values = markers.slice(0, text.length)
    const shows = (each: Text) => choosing.test(path) || values.every(value => filled(each, values).includes(value))
    return text.length !== translated.length || text.length === 0 || !shows(text) || !shows(translated)
  })
  expect(wrong).toEqual([])
})

it('no German text has an English word', () => {
  const wrong = [...german].filter(([path, text]) =>
    /\b(save|cancel|delete|remove|your|you|the|and|please|with|address|account|password)\b/i.test(
      ours.includes(path) ? filled(text, markers) : '',
    ),
  )
  expect(wrong).toEqual([])
})
