import * as playwright from 'playwright-core'
import NodeEnvironment from './node-environment'

/**
 * Node, with the Playwright that the worker has loaded: Jest would load its seven megabytes anew for each file.
 * `playwright-core.cjs` takes it from here.
 */
export default class BrowserEnvironment extends NodeEnvironment {
  override async setup(): Promise<void> {
    await super.setup()
    Object.assign(this.global, { playwright })
  }
}
