// What a bundle of the sources is asked for, with a bug of bugs.ts or without one.
export { replayFile } from '../../src/cli/replay/command'
export { checked } from '../../src/replay/checked'
export { played } from '../../src/replay/player'
export { replay } from '../../src/replay/replay'
export { recordedSession } from '../extras/record/session'
export { recordedTabs } from '../extras/record/tab-session'
