import type { Scope } from './state'

export interface Checker {
  check_spec_with_cfg(
    spec: string,
    config: string,
    constants: string,
    maxStates: number,
    maxDepth: number,
    allowsDeadlock: boolean,
    exportsDot: boolean,
  ): string
}
export function withChecker<T>(use: (checker: Checker) => T): Promise<T>
export function statesOf(checker: Checker, scope: Scope, isNamed: boolean): number
