import * as client from 'rxauth'
import { makeWorld, type World as Made } from '../../docs/.vitepress/run/world'

/** The machine of a reader, in this process. */
export interface World extends Pick<Made, 'serve'> {
  /** `rxauth` as it is on this machine. */
  readonly rxauth: object
  close(): void
}

export function openWorld(): World {
  const { env } = process
  const before = { ...env }
  const world = makeWorld()
  const elsewhere = globalThis.fetch.bind(globalThis)
  const spy = jest
    .spyOn(globalThis, 'fetch')
    .mockImplementation((input, init) => world.answer(input, init) ?? elsewhere(input, init))
  Object.assign(env, world.env)
  return {
    rxauth: { ...client, createClientApp: world.createClientApp },
    serve: world.serve,
    close() {
      spy.mockRestore()
      for (const name of Object.keys(env)) if (!(name in before)) Reflect.deleteProperty(env, name)
      Object.assign(env, before)
    },
  }
}
