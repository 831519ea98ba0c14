import { readCondition, Unreadable } from './sign-up-condition'
import type { SignUpFacts } from './sign-up-condition'
import type { ProjectConfig, SignUpRule } from './project-config'

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
  readonly status: 'matched' | 'not_matched' | 'disabled' | 'error'
  readonly error?: string
}

export interface SignUpOutcome {
  /** Of all rules, in the order in which they are tried. */
  readonly evaluations: readonly Evaluation[]
  readonly decision: SignUpRule['action'] | 'default-allow' | 'default-reject'
  /** Null: the default decided. */
  readonly decidedBy: WholeRule | null
}

/** The rules of a project, in the order in which they are tried: by priority, then by id. */
export function rulesOf({ signUpRules }: Pick<ProjectConfig, 'signUpRules'>): WholeRule[] {
  return signUpRules
    .map(({ emailDomain, action, message, ...rule }, index) => ({
      id: rule.id ?? `rule-${index + 1}`,
      enabled: rule.enabled ?? true,
      displayName: rule.displayName ?? '',
      priority: rule.priority ?? signUpRules.length - index,
      condition: rule.condition ?? conditionFor(emailDomain),
      action: { type: action, ...(message !== undefined && { message }) },
    }))
    .sort((left, right) => right.priority - left.priority || (left.id < right.id ? -1 : 1))
}

function conditionFor(emailDomain: string | undefined): string {
  return emailDomain === undefined ? 'true' : `emailDomain == ${JSON.stringify(emailDomain.toLowerCase())}`
}

/** Tries the rules: the first that matches decides, unless it only logs. */
export function evaluate(config: ProjectConfig, facts: SignUpFacts): SignUpOutcome {
  const evaluations = rulesOf(config).map(rule => evaluateRule(rule, facts))
  const decidedBy =
    evaluations.find(({ status, rule }) => status === 'matched' && rule.action.type !== 'log')?.rule ?? null
  return { evaluations, decidedBy, decision: decidedBy?.action.type ?? `default-${config.signUpRulesDefaultAction}` }
}

function evaluateRule(rule: WholeRule, facts: SignUpFacts): Evaluation {
  if (!rule.enabled) return { rule, status: 'disabled' }
  try {
    return { rule, status: readCondition(rule.condition)(facts) ? 'matched' : 'not_matched' }
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    return { rule, status: 'error', error: error.message }
  }
}

export function isAllowed({ decision }: SignUpOutcome): boolean {
  return decision !== 'reject' && decision !== 'default-reject'
}
