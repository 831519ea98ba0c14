import { TestEnvironment } from 'jest-environment-node'
import { AsyncLocalStorage } from 'node:async_hooks'
import { pointAtTest } from './own-line'
import { cpuSeconds, noteCpu } from './cpu.mjs'
import './worker-end.mjs'
import { giveSources } from './compiled'
import { leaveStacks } from './stacks'
import { followStorages } from './storages'

const endStorages = followStorages(AsyncLocalStorage)

/** Node, where a failed assertion points at the line of its test, and a file leaves nothing to the next one. */
export default class NodeEnvironment extends TestEnvironment {
  readonly #testPath: string
  readonly #placeInSources: (failed: unknown) => void
  readonly #cpuBefore = cpuSeconds()

  constructor(...args: ConstructorParameters<typeof TestEnvironment>) {
    super(...args)
    this.#testPath = args[1].testPath
    giveSources(this.global, this.getVmContext()!)
    this.#placeInSources = leaveStacks(this.global.Error)
  }

  handleTestEvent({ error }: { readonly error?: unknown }): void {
    this.#placeInSources(error)
    pointAtTest(error, this.#testPath)
  }

  override async teardown(): Promise<void> {
    await super.teardown()
    endStorages()
    noteCpu(this.#testPath, this.#cpuBefore)
  }
}
