// What a bundle of the sources is asked for, with a bug of bugs.ts or without one.
export { checked } from '../../src/replay/checked'
export { decisionsOf, minimised } from '../../src/replay/minimise'
export { decisionIn } from '../../src/replay/player'
export { played } from '../../src/replay/played'
export { recordedSession } from '../extras/record/session'
export { recordedTabs } from '../extras/record/tab-session'
