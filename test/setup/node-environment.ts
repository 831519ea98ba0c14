import { TestEnvironment } from 'jest-environment-node'
import { pointAtTest } from './own-line'

/** Node, where a failed assertion points at the line of its test. */
export default class NodeEnvironment extends TestEnvironment {
  readonly #testPath: string

  constructor(...args: ConstructorParameters<typeof TestEnvironment>) {
    super(...args)
    this.#testPath = args[1].testPath
  }

  handleTestEvent({ error }: { readonly error?: unknown }): void {
    pointAtTest(error, this.#testPath)
  }
}
