import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import manifest from '../../package.json'
import { blocksOf } from '../docs/pasted'
import { root } from '../package/sources'
import { fetchedOutside, output, versionIn } from './fetched'

/** The packages of Expo's release 57 work together; of the newest one, the preset of Jest is a candidate. */
const packages = [
  ...['', '-secure-store', '-web-browser', '-crypto', '-network', '-linking'].map(name => `expo${name}@57`),
  ...['jest-expo@57', 'jest@29', 'react-native@0.86', '@react-native/jest-preset@0.86', 'react@19.2'],
  ...['@react-native-async-storage/async-storage@3', 'typescript@5.9', '@types/react@19', '@types/jest@29'],
]

/** The app of docs/guides/expo.md, and the version of what runs it. */
export async function expoApp(): Promise<{ readonly folder: string; readonly version: string }> {
  const needed = Object.entries({ ...manifest.dependencies, rxjs: manifest.peerDependencies.rxjs })
  const folder = await fetchedOutside('expo', ...packages, ...needed.map(([name, range]) => `${name}@${range}`))
  for (const part of ['package.json', 'dist'])
    cpSync(join(root, part), join(folder, 'node_modules/rxauth', part), { recursive: true })
  return { folder, version: `Expo ${versionIn(folder, 'expo')}, jest-expo ${versionIn(folder, 'jest-expo')}` }
}

/** Compiles the app of the guide, and runs its sessions as iOS and as Android, by both clocks. */
export async function runExpo(folder: string): Promise<void> {
  const write = (file: string, text: string) => writeFileSync(join(folder, file), text)
  const files = blocksOf('docs/guides/expo.md').filter(({ words }) => words.includes(' file:'))
  for (const { file, code } of files) write(file!, code)
  const program = (name: string) => join(folder, 'node_modules', name)
  const compilerOptions = { strict: true, noEmit: true, skipLibCheck: true, types: ['jest'] }
  const sources = files.map(({ file }) => file!).filter(file => /\.tsx?$/.test(file))
  write('tsconfig.json', JSON.stringify({ extends: 'expo/tsconfig.base', compilerOptions, files: sources }))
  await output(process.execPath, [program('typescript/bin/tsc'), '--project', '.', '--pretty', 'false'], folder)

  for (const file of ['device.ts', 'sessions.ts']) cpSync(join(__dirname, 'expo', file), join(folder, file))
  for (const kind of ['virtual', 'real'])
    write(`${kind}.test.ts`, `import { sessions } from './sessions'\nsessions('${kind}')\n`)
  write(
    'both.config.js',
    `const app = require('./jest.config.js')
    module.exports = { projects: ['ios', 'android'].map(os => ({ ...app, preset: 'jest-expo/' + os })) }`,
  )
  // By the real clock they wait for most of their time. What React Native leaves open does not end by itself.
  const given = ['--config', 'both.config.js', '--maxWorkers', '3', '--forceExit', '--silent']
  await output(process.execPath, [program('jest/bin/jest.js'), ...given], folder, 1_500_000)
}
