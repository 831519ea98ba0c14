import { actionsOf, initial } from './model'
import { search } from './search'
const base = { tabs: 3, people: ['ada','grace'], isRotating: true, hasLocks: true, signIns: 2, expiries: 1, writes: 1, faults: 0 }
for (const more of JSON.parse(process.argv[2] ?? '[{}]')) {
  const scope = { ...base, ...more }
  const at = Date.now()
  const g = search(initial(scope), actionsOf(scope), s => s.harm)
  const last = g.states.at(-1)!
  console.log(JSON.stringify(more), g.states.length, g.edges.from.length, (Date.now()-at)/1000, last.harm, last.harm ? g.traceTo(g.states.length-1): '')
}
