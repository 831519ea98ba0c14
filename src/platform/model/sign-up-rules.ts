import { conditionTest } from './sign-up-condition'
import type { SignUpFacts } from './sign-up-condition'
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

/** The outcome of one rule for one sign-up. */
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
      condition: rule.condition ?? conditionFor(emailDomain),
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

function conditionFor(emailDomain: string | undefined): string {
  return emailDomain === undefined ? 'true' : `emailDomain == ${JSON.stringify(emailDomain.toLowerCase())}`
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
