// The parts of the platform that the command line uses beside its public names. No entry of the package: only `src/cli` imports it.
export { hideSettings, secretSetting } from './platform/model/config-override'
export { configFields, configLevels, newProjectConfig, providerIds } from './platform/model/projects'
export { defaultWire, wires } from './platform/model/release'
export { firstRepeated } from './platform/model/sign-up-rules'
export { isSystemPermission } from './platform/model/teams'
export { DataFile } from './platform/node/data-file'
export { defaultPort } from './platform/node/listen'
export { loadLibsql } from './platform/node/open-platform'
