import { compile } from '../../../src/platform/http/router'
import { newerRoutes, routes } from '../../../src/platform/routes/index'
import { declaredEndpoints, patternOf } from '../../declared-endpoints'

const declared = declaredEndpoints()

describe('the routes', () => {
  it('are found in the declarations', () => expect(declared.map(({ route }) => route)).toContain('PATCH /users/me'))

  it('are each listed once', () => {
    const served = compile(routes).map(({ levels }) => levels[0]?.route)
    expect(new Set(served).size).toBe(served.length)
  })
})

describe('an address of the kit', () => {
  it('is served', () => {
    const patterns = new Set([...routes, ...newerRoutes].map(({ route }) => patternOf(route)))
    expect(declared.map(({ route }) => route).filter(route => !patterns.has(patternOf(route)))).toEqual([])
  })

  it('is declared a second time only where no recording has the call of the newer release', () => {
    const known = declared.map(({ route, access }) => `${patternOf(route)} ${access}`)
    const second = [...routes, ...newerRoutes].filter(one => !declared.includes(one.declared))
    const lines = second.map(({ route, access }) => `${patternOf(route)} ${access}`)
    expect(lines.filter(line => known.includes(line))).toEqual([
      'POST /internal/send-test-webhook admin',
      'DELETE /internal/email-themes/{} admin',
    ])
  })

  it('accepts at the higher level all fields of the lower one, and its user by id', () => {
    for (const one of routes) {
      const higher = routes.find(
        ({ run, access }) => run === one.run && access !== one.access && one.access === 'client',
      )
      const names = (served: typeof one) => Object.values(served.forms['2.8.18'].fields).flatMap(Object.keys)
      if (higher) expect(names(higher)).toEqual(expect.arrayContaining(names(one)))
    }
  })
})
