/** What a condition of a sign-up rule can look at. A text is empty where the sign-up has none. */
export interface SignUpFacts {
  readonly email: string
  readonly emailDomain: string
  readonly countryCode: string
  readonly authMethod: string
  readonly oauthProvider: string
  readonly riskScores: Readonly<Record<'bot' | 'free_trial_abuse', number>>
}

/** Whether a condition holds for a sign-up. Throws for a condition that cannot be evaluated. */
export type ConditionTest = (condition: string, facts: SignUpFacts) => boolean

const longest = 10_000

/** The library of the platform has no methods of texts: the platform replaces these calls by their results before. */
const call =
  /\b(email|emailDomain|countryCode|authMethod|oauthProvider)\.(contains|startsWith|endsWith|matches)\("((?:[^"\\]|\\.)*)"\)/g

const methods = {
  startsWith: (text: string, part: string) => text.startsWith(part),
  endsWith: (text: string, part: string) => text.endsWith(part),
  contains: (text: string, part: string) => text.includes(part),
  matches: (text: string, part: string) => patternOf(part).test(text),
}

/** An expression of more repetitions, or one that repeats a group, could take too long to be tried. */
const mostRepetitions = 3

function patternOf(source: string): RegExp {
  if (/\)[*+{]/.test(source) || source.replace(/[^*+{]/g, '').length > mostRepetitions)
    throw new Error(`an expression repeats a group, or has more than ${mostRepetitions} repetitions`)
  return new RegExp(source)
}

/** The test of conditions, in CEL. The library is a sixth of the platform, so it is loaded with the first condition. */
export async function conditionTest(): Promise<ConditionTest> {
  const { evaluate } = await import('cel-js')
  return (condition, facts) => {
    if (condition.length > longest) throw new Error(`the condition is longer than ${longest} characters`)
    const replaced = condition.replace(
      call,
      (_, name: Exclude<keyof SignUpFacts, 'riskScores'>, method, part: string) =>
        String(methods[method as keyof typeof methods](facts[name], part.replace(/\\(.)/g, '$1'))),
    )
    // Without a prototype a condition reaches these names only; the library adds the variables of loops.
    const result = evaluate(replaced, bare({ ...facts, riskScores: bare(facts.riskScores) }))
    if (typeof result !== 'boolean') throw new Error('the result of the condition is not true or false')
    return result
  }
}

function bare(values: object): Record<string, unknown> {
  return Object.assign(Object.create(null) as Record<string, unknown>, values)
}
