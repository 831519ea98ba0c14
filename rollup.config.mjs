import { build } from 'esbuild'
import { walk } from 'estree-walker'
import MagicString from 'magic-string'
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import dts from 'rollup-plugin-dts'
import esbuild from 'rollup-plugin-esbuild'
import ts from 'typescript'

/** The public entries and the file of each: the exports map of package.json names the same ones. */
const entries = {
  admin: 'src/admin.ts',
  index: 'src/index.ts',
  platform: 'src/platform.ts',
  playwright: 'src/testing/playwright.ts',
  'platform-node': 'src/platform-node.ts',
  react: 'react/index.ts',
  server: 'src/server.ts',
}
const program = 'src/platform-bin.ts'
/** Modules that package.json has two files for under one name (`#dev`), by the name of the file that the sources import. */
const conditional = {
  'core/dev': ['src/core/dev.ts', 'src/core/dev-off.ts'],
  'core/vite-environment': ['src/core/vite-environment.ts', 'src/core/vite-environment-inlined.ts'],
}
/** What Jest loads, by path and with `require`. */
const jestFiles = ['preset', 'transform', 'jsdom'].map(name => `src/testing/jest-${name}.ts`)

/** What is used of packages that are published inside of this one: only development and tests run them. */
const inside = { bcryptjs: 'compareSync', sucrase: 'transform' }

/** Everything installed stays an import, `rxauth` itself included: rxauth/react shares the app's one copy of the kit. */
const external = id => !id.startsWith('.') && !id.startsWith('\0') && !isAbsolute(id) && !(id in inside)

/** Code that does not run when a module is loaded. */
const runsLater = (node, parent) =>
  /Function/.test(node.type) || (parent?.type === 'PropertyDefinition' && !parent.static && node === parent.value)

/**
 * Writes a pure annotation before every call and `new` that runs while a module is loaded.
 *
 * A bundler drops an unused definition only if it knows that making it has no effect, and only rollup believes that of
 * a function from another module. An argument that is itself a call needs its own annotation, or it is kept.
 */
export function pureTopLevelCalls() {
  return {
    name: 'pure-top-level-calls',
    renderChunk(code, chunk) {
      // The program is run, not imported: its calls are its purpose.
      if (chunk.facadeModuleId?.endsWith(program)) return null
      const annotated = new MagicString(code)
      // `a().b()` is two calls that begin at one place, where one annotation does.
      const starts = new Set()
      walk(this.parse(code), {
        enter(node, parent) {
          if (runsLater(node, parent)) this.skip()
          else if (node.type === 'CallExpression' || node.type === 'NewExpression') starts.add(node.start)
        },
      })
      for (const start of starts) {
        // esbuild keeps annotations that the author wrote.
        if (!/[#@]__PURE__\s*\*\/\s*$/.test(code.slice(0, start))) annotated.appendLeft(start, '/* @__PURE__ */ ')
      }
      return { code: annotated.toString(), map: annotated.generateMap({ hires: 'boundary' }) }
    },
  }
}

/** Puts those packages in, with the licence of each beside them. */
function packagesInside() {
  return {
    name: 'packages-inside',
    resolveId: id => (id in inside ? `\0${id}` : null),
    async load(id) {
      const name = id.slice(1)
      if (id[0] !== '\0' || !(name in inside)) return null
      const { outputFiles, metafile } = await build({
        stdin: { contents: `export { ${inside[name]} } from '${name}'`, resolveDir: import.meta.dirname },
        bundle: true,
        format: 'esm',
        // Node's modules are left out where a package can do without.
        platform: 'browser',
        target: 'es2022',
        minify: true,
        write: false,
        metafile: true,
      })
      const folders = new Set(
        Object.keys(metafile.inputs).map(path => /^node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0]),
      )
      for (const folder of folders) {
        if (folder === undefined) continue
        const licence = readdirSync(folder).find(file => /^licen[cs]e/i.test(file))
        if (!licence || !existsSync(join(folder, licence))) this.error(`${folder} has no licence to publish`)
        const fileName = `licences/${folder.slice('node_modules/'.length).replace('/', '-')}.txt`
        this.emitFile({ type: 'asset', fileName, source: readFileSync(join(folder, licence)) })
      }
      return outputFiles[0].text
    },
  }
}

/** Rollup drops directives with a warning; server components need this one at the head of the file that has it. */
function keepUseClient() {
  const directive = /^\s*(['"])use client\1/
  const clientModules = new Set()
  return {
    name: 'keep-use-client',
    transform: {
      order: 'pre',
      handler(code, id) {
        if (!directive.test(code)) return null
        clientModules.add(id)
        // As many blanks as there were characters: every position stays what it was.
        return { code: code.replace(directive, found => ' '.repeat(found.length)), map: null }
      },
    },
    renderChunk: {
      order: 'post',
      handler(code, chunk) {
        if (!chunk.moduleIds.some(id => clientModules.has(id))) return null
        const headed = new MagicString(code).prepend("'use client';\n")
        return { code: headed.toString(), map: headed.generateMap({ hires: 'boundary' }) }
      },
    },
  }
}

/** What `require` loads of each entry: the ES module itself, which Node 20.19 and later give it, so there is one copy of it. */
function forRequire() {
  const { exports } = JSON.parse(readFileSync('package.json', 'utf8'))
  return {
    name: 'for-require',
    generateBundle() {
      for (const { require, default: module } of Object.values(exports)) {
        if (require === undefined) continue
        const fileName = require.default.replace('./dist/', '')
        const directive = fileName === 'react.cjs' ? "'use client';\n" : ''
        const source = `${directive}module.exports = require('${module.replace('./dist/', './')}')\n`
        this.emitFile({ type: 'asset', fileName, source })
      }
    },
  }
}

/** A warning fails the build, save one about types that no entry exports: a consumer never has to write those. */
function warningsFail(level, log, report) {
  if (log.plugin === 'dts' && log.message.includes('private shared type exports')) return
  report(level === 'warn' ? 'error' : level, log)
}

/**
 * Has TypeScript declare every module in one run, and in one order: it lists the members of a computed type as it met them, so
 * that declaring modules as they are loaded gives other types with each build.
 */
function declareAll(outDir) {
  return {
    name: 'declare-all',
    buildStart() {
      const { config } = ts.readConfigFile('tsconfig.json', ts.sys.readFile)
      const { options } = ts.parseJsonConfigFileContent(config, ts.sys, import.meta.dirname)
      const program = ts.createProgram(Object.values(entries), {
        ...options,
        // rxauth/platform/node is the one entry that speaks of Node.
        types: ['node'],
        declaration: true,
        emitDeclarationOnly: true,
        noEmit: false,
        rootDir: import.meta.dirname,
        outDir,
      })
      const { diagnostics } = program.emit()
      for (const { messageText } of diagnostics) this.error(ts.flattenDiagnosticMessageText(messageText, '\n'))
    },
    closeBundle() {
      rmSync(outDir, { recursive: true, force: true })
    },
  }
}

/** Imports a conditional file by the name that package.json gives it, so that the importer's conditions choose. */
function chooseByCondition() {
  return {
    name: 'choose-by-condition',
    resolveId(source, importer = '') {
      const path = relative(join(import.meta.dirname, 'src'), resolve(dirname(importer), source))
      const name = path.split(sep).join('/')
      return name in conditional ? { id: name.replace('core/', '#'), external: true } : null
    },
  }
}

/**
 * `--configUnannotated` leaves the pure annotations out and `--configDist <folder>` builds elsewhere: together they let
 * the bleed test see itself fail.
 */
export default ({ configUnannotated = false, configDist = 'dist' }) => {
  // A file whose source is gone would be published for ever.
  rmSync(configDist, { recursive: true, force: true })
  const modules = {
    input: [...Object.values(entries), program, ...Object.values(conditional).flat()],
    external,
    // The same promise as `sideEffects: false` in package.json.
    treeshake: { moduleSideEffects: false },
    plugins: [
      chooseByCondition(),
      packagesInside(),
      esbuild({ target: 'es2022', tsconfig: 'tsconfig.json' }),
      !configUnannotated && pureTopLevelCalls(),
      keepUseClient(),
      forRequire(),
    ],
    onLog: warningsFail,
    output: {
      dir: configDist,
      format: 'es',
      preserveModules: true,
      preserveModulesRoot: 'src',
      hoistTransitiveImports: false,
      // Each module is published as it was written, less its types: a map of it, with the source once more in it, would be
      // two thirds of the package.
      sourcemap: false,
    },
  }
  const declarations = `${configDist}/.declarations`
  const types = {
    input: Object.fromEntries(
      Object.entries(entries).map(([name, file]) => [name, join(declarations, file.replace(/\.ts$/, '.d.ts'))]),
    ),
    external,
    plugins: [declareAll(declarations), dts()],
    onLog: warningsFail,
    // The same declarations for `import` and for `require`: the module is one, and Node loads it by either.
    output: ['d.ts', 'd.cts'].map(ending => ({
      dir: configDist,
      format: 'es',
      entryFileNames: `[name].${ending}`,
      chunkFileNames: `types/[name].${ending}`,
      minifyInternalExports: false,
    })),
  }
  const jest = {
    input: jestFiles,
    external,
    plugins: [packagesInside(), esbuild({ target: 'es2022', tsconfig: 'tsconfig.json' })],
    onLog: warningsFail,
    output: {
      dir: `${configDist}/testing`,
      format: 'cjs',
      exports: 'auto',
      entryFileNames: '[name].cjs',
      chunkFileNames: '[name].cjs',
    },
  }
  return configUnannotated ? [modules] : [modules, types, jest]
}
