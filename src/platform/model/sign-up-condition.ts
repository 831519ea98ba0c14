/** What a condition of a sign-up rule can look at. A text is empty where the sign-up has none. */
export interface SignUpFacts {
  readonly email: string
  readonly emailDomain: string
  readonly countryCode: string
  readonly authMethod: string
  readonly oauthProvider: string
  readonly riskScores: Readonly<Record<'bot' | 'free_trial_abuse', number>>
}

/** A condition, ready to be asked. */
export type SignUpCondition = (facts: SignUpFacts) => boolean

/** Why a condition cannot be read, as the end of a sentence. */
export class Unreadable extends Error {}

type Kind = 'a text' | 'a number' | 'true or false' | 'an object'

/** A part of a condition: what it gives, known before any sign-up. */
interface Part {
  readonly kind: Kind
  /** A text that has a name: the platform's methods work on these only. */
  readonly isName?: boolean
  readonly of: (facts: SignUpFacts) => unknown
}

const longest = 10_000
const deepest = 50

const token =
  /\s+|(?<text>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(?<number>-?\d+(?:\.\d+)?)|(?<name>[a-z_]\w*)|(?<sign>&&|\|\||[=!<>]=|[!<>()[\],.])/giy

const texts = ['email', 'emailDomain', 'countryCode', 'authMethod', 'oauthProvider'] as const
const scores = { bot: 'bot', free_trial_abuse: 'free_trial_abuse', freeTrialAbuse: 'free_trial_abuse' } as const

const tests = {
  startsWith: (text: string, part: string) => text.startsWith(part),
  endsWith: (text: string, part: string) => text.endsWith(part),
  contains: (text: string, part: string) => text.includes(part),
  matches: (text: string, part: string) => patternOf(part).test(text),
}

/** An expression of more repetitions, or one that repeats a group, could take too long to be tried. */
const mostRepetitions = 3

function patternOf(source: string): RegExp {
  if (/\)[*+{]/.test(source) || source.replace(/[^*+{]/g, '').length > mostRepetitions)
    throw new Unreadable(`its expression repeats a group, or has more than ${mostRepetitions} repetitions`)
  try {
    return new RegExp(source)
  } catch {
    throw new Unreadable('its expression is no regular expression')
  }
}

const comparisons: Readonly<Record<string, (left: unknown, right: unknown) => boolean>> = {
  '==': (left, right) => left === right,
  '!=': (left, right) => left !== right,
  '<': (left, right) => (left as string) < (right as string),
  '<=': (left, right) => (left as string) <= (right as string),
  '>': (left, right) => (left as string) > (right as string),
  '>=': (left, right) => (left as string) >= (right as string),
}

/**
 * Reads a condition: the part of CEL that sign-up rules use. It has comparisons, `&&`, `||`, `!`, `in [...]`, and of names
 * `startsWith`, `endsWith`, `contains` and `matches` with a text in double quotes, since the hosted platform replaces these
 * before it reads the rest. Each sign is read once. Throws Unreadable for anything else.
 */
export function readCondition(source: string): SignUpCondition {
  if (source.length > longest) throw new Unreadable(`it is longer than ${longest} characters`)
  const condition = new Reader(tokensOf(source)).all()
  return facts => condition.of(facts) === true
}

interface Token {
  readonly kind: 'text' | 'number' | 'name' | 'sign' | 'end'
  readonly text: string
}

function tokensOf(source: string): Token[] {
  const tokens: Token[] = []
  let end = 0
  for (const { 0: text, index, groups = {} } of source.matchAll(token)) {
    if (index !== end) break
    end = index + text.length
    const [kind] = Object.entries(groups).find(([, found]) => (found as string | undefined) !== undefined) ?? []
    if (kind) tokens.push({ kind: kind as Token['kind'], text })
  }
  if (end < source.length) throw new Unreadable(`it has something unknown at "${source.slice(end, end + 20)}"`)
  return tokens
}

class Reader {
  readonly #tokens: readonly Token[]
  #next = 0
  #depth = 0

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
  }

  all(): Part {
    const part = this.#expect('true or false', this.#joined())
    if (this.#peek().kind !== 'end') throw new Unreadable(`it goes on with "${this.#peek().text}", where it should end`)
    return part
  }

  #peek(): Token {
    return this.#tokens[this.#next] ?? { kind: 'end', text: '' }
  }

  #takes(sign: string): boolean {
    const { kind, text } = this.#peek()
    const isThere = kind !== 'text' && text === sign
    if (isThere) this.#next++
    return isThere
  }

  #demand(sign: string): void {
    const { kind, text } = this.#peek()
    if (!this.#takes(sign))
      throw new Unreadable(`"${sign}" is missing ${kind === 'end' ? 'at its end' : `before "${text}"`}`)
  }

  #expect(kind: Kind, part: Part): Part {
    if (part.kind === kind) return part
    throw new Unreadable(`it needs ${kind} where it has ${part.kind}`)
  }

  /** `a || b`, of terms that `&&` joins. */
  #joined(signs: readonly string[] = ['||', '&&']): Part {
    const [sign, ...inner] = signs
    if (sign === undefined) return this.#compared()
    const first = this.#joined(inner)
    const all = [first]
    while (this.#takes(sign)) all.push(this.#joined(inner))
    if (all.length === 1) return first
    for (const each of all) this.#expect('true or false', each)
    return {
      kind: 'true or false',
      of: facts => (sign === '||' ? all.some(({ of }) => of(facts)) : all.every(({ of }) => of(facts))),
    }
  }

  #compared(): Part {
    const left = this.#value()
    if (this.#takes('in')) {
      const listed = this.#list(left.kind)
      return { kind: 'true or false', of: facts => listed.has(left.of(facts)) }
    }
    const { kind, text: sign } = this.#peek()
    const compare = kind === 'sign' && Object.hasOwn(comparisons, sign) ? comparisons[sign] : undefined
    if (!compare) return left
    this.#next++
    const right = this.#expect(left.kind, this.#value())
    if (left.kind === 'an object' || (left.kind === 'true or false' && !/[=!]=/.test(sign)))
      throw new Unreadable(`"${sign}" compares texts and numbers`)
    return { kind: 'true or false', of: facts => compare(left.of(facts), right.of(facts)) }
  }

  #list(kind: Kind): ReadonlySet<unknown> {
    const listed = new Set<unknown>()
    this.#demand('[')
    if (this.#takes(']')) return listed
    do listed.add(this.#expect(kind, this.#literal()).of(noFacts))
    while (this.#takes(','))
    this.#demand(']')
    return listed
  }

  #literal(): Part {
    const { kind } = this.#peek()
    if (kind !== 'text' && kind !== 'number') throw new Unreadable('a list has texts or numbers')
    return this.#value()
  }

  /** A value, with the tests of texts that follow it. */
  #value(): Part {
    if (++this.#depth > deepest) throw new Unreadable(`it is nested deeper than ${deepest} levels`)
    let part = this.#single()
    while (this.#takes('.')) part = this.#member(part)
    this.#depth--
    return part
  }

  #single(): Part {
    if (this.#takes('!')) {
      const { of } = this.#expect('true or false', this.#value())
      return { kind: 'true or false', of: facts => !of(facts) }
    }
    if (this.#takes('(')) {
      const inner = this.#joined()
      this.#demand(')')
      return inner
    }
    const { kind, text } = this.#peek()
    this.#next++
    switch (kind) {
      case 'text':
        return constant('a text', text.slice(1, -1).replace(/\\(.)/g, '$1'))
      case 'number':
        return constant('a number', Number(text))
      case 'name':
        return named(text)
      default:
        throw new Unreadable(kind === 'end' ? 'it ends too early' : `a value is missing before "${text}"`)
    }
  }

  #member(part: Part): Part {
    const { text: name } = this.#peek()
    this.#next++
    if (part.kind === 'an object' && Object.hasOwn(scores, name)) {
      const score = scores[name as keyof typeof scores]
      return { kind: 'a number', of: ({ riskScores }) => riskScores[score] }
    }
    if (!part.isName || !Object.hasOwn(tests, name))
      throw new Unreadable(`".${name}" is unknown; texts with a name have ${Object.keys(tests).join(', ')}`)
    const test = tests[name as keyof typeof tests]
    this.#demand('(')
    const { kind, text } = this.#peek()
    if (kind !== 'text' || !text.startsWith('"')) throw new Unreadable(`".${name}" takes one text in double quotes`)
    const argument = this.#single().of(noFacts) as string
    this.#demand(')')
    if (name === 'matches') patternOf(argument)
    return { kind: 'true or false', of: facts => test(part.of(facts) as string, argument) }
  }
}

/** Of literals, which look at no sign-up. */
const noFacts: SignUpFacts = {
  ...{ email: '', emailDomain: '', countryCode: '', authMethod: '', oauthProvider: '' },
  riskScores: { bot: 0, free_trial_abuse: 0 },
}

function constant(kind: Kind, value: unknown): Part {
  return { kind, of: () => value }
}

function named(name: string): Part {
  if (name === 'true' || name === 'false') return constant('true or false', name === 'true')
  const known = texts.find(each => each === name)
  if (known) return { kind: 'a text', isName: true, of: facts => facts[known] }
  if (name === 'riskScores') return { kind: 'an object', of: ({ riskScores }) => riskScores }
  throw new Unreadable(`"${name}" is unknown; it can use ${[...texts, 'riskScores'].join(', ')}`)
}
