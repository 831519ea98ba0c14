// Writes the report of the public types in each file into a folder: `node test/package/api-report.mjs <folder> <files>`.
import { CompilerState, Extractor, ExtractorConfig } from '@microsoft/api-extractor'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))
const [, , target, ...types] = process.argv
const folder = resolve(target)
const temporary = join(root, '.tmp/api-report')
// Removes reports of entries that no longer exist.
rmSync(folder, { recursive: true, force: true })
for (const path of [folder, temporary]) mkdirSync(path, { recursive: true })

/** The libraries of an app: rxauth/react imports the built kit by name. */
const compilerOptions = {
  target: 'es2022',
  lib: ['es2022', 'esnext.disposable', 'dom', 'dom.iterable'],
  module: 'esnext',
  moduleResolution: 'bundler',
  types: ['node'],
  strict: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: true,
}

const files = types.map(file => join(root, file))
/** One program of all entries, which has the types of libraries once. */
let compilerState

for (const file of types) {
  const reportFileName = file.replace(/^.*\/(.+)\.d\.ts$/, '$1.api.md')
  const config = ExtractorConfig.prepare({
    configObjectFullPath: join(root, 'api-extractor.json'),
    packageJsonFullPath: join(root, 'package.json'),
    configObject: {
      projectFolder: root,
      mainEntryPointFilePath: join(root, file),
      compiler: { overrideTsconfig: { compilerOptions, files } },
      apiReport: {
        enabled: true,
        // A type that an exported one refers to is part of what a consumer compiles against.
        includeForgottenExports: true,
        reportFileName,
        reportFolder: folder,
        reportTempFolder: temporary,
      },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      newlineKind: 'lf',
      messages: {
        compilerMessageReporting: { default: { logLevel: 'error' } },
        // Removes release tags and doc comments, which are not part of a type.
        extractorMessageReporting: { default: { logLevel: 'none' } },
        tsdocMessageReporting: { default: { logLevel: 'none' } },
      },
    },
  })
  compilerState ??= CompilerState.create(config)
  const { succeeded } = Extractor.invoke(config, {
    compilerState,
    localBuild: true,
    messageCallback: message => {
      message.handled = true
      if (message.logLevel === 'error') console.error(`${file}: ${message.text}`)
    },
  })
  if (!succeeded) process.exitCode = 1

  // A namespace lists its hundred names on one line, so a diff would not show which one changed.
  const report = readFileSync(join(folder, reportFileName), 'utf8')
  const listed = report.replace(/^ {4}export (type )?\{ .*$/gm, line => line.replace(/[{,] /g, '$&\n      '))
  writeFileSync(join(folder, reportFileName), listed.replace(/ +$/gm, ''))
}
