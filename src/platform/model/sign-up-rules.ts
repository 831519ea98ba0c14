import type { ProjectConfig, SignUpRule } from './projects'

/** A rule with all that the project leaves out. */
export interface WholeRule {
  readonly id: string
  readonly enabled: boolean
  readonly displayName: string
  readonly priority: number
  readonly condition: string
  readonly action: { readonly type: SignUpRule['action']; readonly message?: string }
}

export interface Evaluation {
  readonly rule: WholeRule
  readonly status: 'matched' | 'not_matched' | 'disabled' | 'missing_condition' | 'error'
  readonly error?: string
}

export interface SignUpOutcome {
  /** The results of the rules in the order in which they are tried, up to the one that decides. */
  readonly evaluations: readonly Evaluation[]
  readonly decision: 'allow' | 'reject' | 'default-allow' | 'default-reject'
  /** Null: the default decided. */
  readonly decidedBy: WholeRule | null
  /** The first rule that restricts the new user, who may be rejected all the same. */
  readonly restrictedBy: WholeRule | null
}

/** The rules of a project, in the order in which they are tried: by priority, then by id. */
export function rulesOf({ signUpRules }: Pick<ProjectConfig, 'signUpRules'>): WholeRule[] {
  const given = new Set(signUpRules.map(({ id }) => id))
  return signUpRules
    .map(({ emailDomain, action, message, ...rule }, index) => ({
      id: rule.id ?? freeId(given, index + 1),
      enabled: rule.enabled ?? true,
      displayName: rule.displayName ?? '',
      priority: rule.priority ?? signUpRules.length - index,
      condition:
        rule.condition ??
        (emailDomain === undefined ? 'true' : `emailDomain == ${JSON.stringify(emailDomain.toLowerCase())}`),
      action: { type: action, ...(message !== undefined && { message }) },
    }))
    .sort((left, right) => right.priority - left.priority || (left.id < right.id ? -1 : 1))
}

/** The id of a rule without one: `rule-2` for the second, unless another rule has it. */
function freeId(given: ReadonlySet<string | undefined>, place: number): string {
  let id = `rule-${place}`
  while (given.has(id)) id += '-'
  return id
}

/** The id that two rules have; undefined: their ids differ. */
export function firstRepeated(rules: readonly { readonly id?: string | undefined }[]): string | undefined {
  const ids = rules.flatMap(({ id }) => id ?? [])
  return ids.find((id, index) => ids.indexOf(id) < index)
}

/** Tries the rules: the first that matches and allows or rejects decides. One that restricts or logs does not end the search. */
export async function evaluate(config: ProjectConfig, facts: SignUpFacts): Promise<SignUpOutcome> {
  const evaluations: Evaluation[] = []
  let restrictedBy: WholeRule | null = null
  for (const rule of rulesOf(config)) {
    const evaluation = await evaluateRule(rule, facts)
    evaluations.push(evaluation)
    const { type } = rule.action
    if (evaluation.status !== 'matched' || type === 'log') continue
    if (type !== 'restrict') return { evaluations, decision: type, decidedBy: rule, restrictedBy }
    restrictedBy ??= rule
  }
  return { evaluations, decision: `default-${config.signUpRulesDefaultAction}`, decidedBy: null, restrictedBy }
}

async function evaluateRule(rule: WholeRule, facts: SignUpFacts): Promise<Evaluation> {
  if (!rule.enabled) return { rule, status: 'disabled' }
  if (rule.condition === '') return { rule, status: 'missing_condition' }
  const holds = await conditionTest()
  try {
    return { rule, status: holds(rule.condition, facts) ? 'matched' : 'not_matched' }
  } catch {
    // Any text may be stored as a condition. Deep nesting is a RangeError of the library's reader.
    return { rule, status: 'error', error: `Failed to evaluate CEL expression: ${rule.condition}` }
  }
}

export function isAllowed({ decision }: SignUpOutcome): boolean {
  return decision !== 'reject' && decision !== 'default-reject'
}

/** The facts that a condition of a sign-up rule can look at. A text is empty where the sign-up has none. */
export interface SignUpFacts {
  readonly email: string
  readonly emailDomain: string
  readonly countryCode: string
  readonly authMethod: string
  readonly oauthProvider: string
  readonly riskScores: Readonly<Record<'bot' | 'free_trial_abuse', number>>
}

type ConditionTest = (condition: string, facts: SignUpFacts) => boolean

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
