import Published from '../../testing/jest-jsdom'
import { pointAtTest } from './own-line'

/** The environment that the package publishes; a failed assertion points at the line of its test. */
export default class JsdomEnvironment extends Published {
  readonly #testPath: string

  constructor(...args: ConstructorParameters<typeof Published>) {
    super(...args)
    this.#testPath = args[1].testPath
  }

  handleTestEvent({ error }: { readonly error?: unknown }): void {
    pointAtTest(error, this.#testPath)
  }
}
