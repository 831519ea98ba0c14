// The parts of the platform that the command line uses beside its public names. No entry of the package: only `src/cli` imports it.
export { hideSettings } from './platform/model/config-override'
export { configLevels, newProjectConfig } from './platform/model/projects'
export { defaultWire, wires } from './platform/model/release'
export { isSystemPermission } from './platform/model/teams'
export { checkConfig, checkSeed } from './platform/node/check-config'
export { DataFile, loadSqlite, type Sqlite } from './platform/node/data-file'
export { defaultPort } from './platform/node/listen'
export { nearest } from './core/nearest'
