import { actionsOf, initial } from './model'
import { play, played } from './player'
import { virtualClock } from 'rxauth/platform'

const seeds = Number(process.env['RXAUTH_WALKS'] ?? 20)
it('walks', async () => {
  const actions = actionsOf(played)
  let steps = 0
  const at = performance.now()
  for (let seed = 1; seed <= seeds; seed++) {
    const { random } = virtualClock(undefined, { seed })
    const state = initial(played)
    const trace: string[] = []
    for (let step = 0; step < 40; step++) {
      const possible = actions.filter(action => action.may(state))
      const verbs = [...new Set(possible.map(a => a.name.replace(/^[A-Z] /, '')))]
      const verb = verbs[Math.floor(random() * verbs.length)]
      const of = possible.filter(a => a.name.replace(/^[A-Z] /, '') === verb)
      const action = of[Math.floor(random() * of.length)]!
      if (state.sessions.some(s => s.latest > 7) && action.name === 'ten minutes pass') continue
      action.does(state)
      trace.push(action.name)
    }
    steps += trace.length
    const difference = await play(trace, actions)
    if (difference) throw new Error(`seed ${seed}: ${difference}`)
  }
  console.log(steps, performance.now() - at)
}, 600000)
