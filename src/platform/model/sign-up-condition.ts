/** The facts that a condition of a sign-up rule can look at. A text is empty where the sign-up has none. */
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
  matches: (text: string, part: string) => new RegExp(part).test(text),
}

/** The expressions of a condition must not have more ways to be tried: they run on the platform's only thread. */
const mostWays = 2e8
/** Characters of an address. */
const longestText = 254

/**
 * An upper limit for the ways to try an expression: an option or alternative doubles them, and a repetition multiplies them by
 * the places where it can end, as the beginning does without `^`. Infinity: it repeats a group.
 */
function waysOf(source: string): number {
  const signs = source.replace(/\\.|\[(?:\\.|[^\]\\])*\]?/gs, 'x')
  if (/\)[*+{]/.test(signs)) return Infinity
  const count = (sought: RegExp) => signs.match(sought)?.length ?? 0
  const isAnchored = /^\^[^|]*$/.test(signs)
  let ways = 2 ** count(/[?|]/g)
  for (let part = 1; part <= count(/[*+{]/g) + (isAnchored ? 0 : 1); part++) ways *= longestText / part
  return ways
}

/** The test of conditions, in CEL. The library is a sixth of the platform, so it is loaded with the first condition. */
export async function conditionTest(): Promise<ConditionTest> {
  const { evaluate } = await import('cel-js')
  return (condition, facts) => {
    if (condition.length > longest) throw new Error(`the condition is longer than ${longest} characters`)
    let ways = 0
    const replaced = condition.replace(
      call,
      (_, name: Exclude<keyof SignUpFacts, 'riskScores'>, method: keyof typeof methods, quoted: string) => {
        const part = quoted.replace(/\\(.)/g, '$1')
        if (method === 'matches') ways += waysOf(part)
        if (ways > mostWays)
          throw new Error('the expressions repeat a group, or use too many of * + { ? | to be tried in time')
        return String(methods[method](facts[name], part))
      },
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
