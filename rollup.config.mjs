import { build } from 'esbuild'
import { walk } from 'estree-walker'
import MagicString from 'magic-string'
import { readFileSync, rmSync } from 'node:fs'
import { dirname, isAbsolute, join, posix, relative, resolve, sep } from 'node:path'
import dts from 'rollup-plugin-dts'
import esbuild from 'rollup-plugin-esbuild'
import ts from 'typescript'
import { buildRecord, recordFolder } from './build-record.mjs'
import { emitNotices, notices } from './notices.mjs'

/** The entries in both builds: one file for each module, and few files for Node. */
const both = {
  admin: 'src/admin.ts',
  angular: 'src/angular.ts',
  index: 'src/index.ts',
  platform: 'src/platform.ts',
  // Jest with a DOM may resolve without `node`; this entry and `platform` then come from the same build.
  'platform-node': 'src/platform-node.ts',
  server: 'src/server.ts',
}
const react = { next: 'react/next/index.ts', react: 'react/index.ts' }
const playwright = { playwright: 'src/testing/playwright.ts' }
/** The public entries and the file of each: the exports map of package.json names the same ones. */
const entries = { ...both, ...react, ...playwright }
const program = 'src/platform-bin.ts'
/** The program of a process of its own, which the platform starts for the sources of mails. */
const worker = 'src/platform/node/mail-worker.ts'
/** What the React entry uses of the kit, by the name `#inside`: on Node it is of another build. */
const ofReact = 'src/inside.ts'
/** Modules that package.json has two files for under one name (`#dev`), by the name of the file that the sources import. */
const conditional = {
  'core/dev': ['src/core/dev.ts', 'src/core/dev-off.ts'],
  'core/outside-browsers': ['src/core/outside-browsers.ts', 'src/core/outside-browsers-off.ts'],
  'core/vite-environment': ['src/core/vite-environment.ts', 'src/core/vite-environment-inlined.ts'],
}
/** What Jest and a backend under test load, by path and with `require`. */
const required = ['jest-preset', 'jest-transform', 'jest-jsdom', 'backend-clock'].map(name => `src/testing/${name}.ts`)

/**
 * The packages that are published inside of this one, by the name of the module that each is in: only development and tests
 * run them.
 */
const inside = {
  '@valibot/to-json-schema': 'to-json-schema',
  bcryptjs: 'bcryptjs',
  'cel-js': 'cel-js',
  diff: 'diff',
  'jsonc-parser': 'jsonc-parser',
  minisearch: 'minisearch',
  sucrase: 'sucrase',
  acorn: 'acorn',
  // It changes the classes of acorn, so both are one module.
  '@sveltejs/acorn-typescript': 'acorn',
}
/** What is used of them. */
const exportsInside = {
  'to-json-schema': "export { toStandardJsonSchema } from '@valibot/to-json-schema'",
  bcryptjs: "export { compareSync } from 'bcryptjs'",
  'cel-js': "export { evaluate } from 'cel-js'",
  diff: "export { diffArrays, FILE_HEADERS_ONLY, formatPatch, structuredPatch } from 'diff'",
  'jsonc-parser': "export { applyEdits, findNodeAtLocation, modify, parse, parseTree } from 'jsonc-parser'",
  minisearch: "export { default } from 'minisearch'",
  sucrase: "export { transform } from 'sucrase'",
  acorn: "export { Parser } from 'acorn'; export { tsPlugin } from '@sveltejs/acorn-typescript'",
}
/** Packages inside of one file, which both builds load when it is needed. */
const loadedLater = ['cel-js', 'acorn', '@sveltejs/acorn-typescript', 'sucrase']

/** Everything installed stays an import, `rxauth` itself included: rxauth/react shares the app's one copy of the kit. */
const external = id => !id.startsWith('.') && !id.startsWith('\0') && !isAbsolute(id) && !(id in inside)

/**
 * Makes the text for developers of an error (src/errors/auth-error.ts) a condition: of `misuse(field, text, what)`
 * `misuse(field, DEV ? text : what)`. A bundler for production knows that constant, and drops the text.
 */
function textsForDevelopers() {
  const dev = join(import.meta.dirname, 'src/core/dev')
  return {
    name: 'texts-for-developers',
    transform(code) {
      const written = new MagicString(code)
      const source = node => code.slice(node.start, node.end)
      walk(this.parse(code), {
        enter({ type, callee, arguments: [, text, third] = [] }) {
          if (type !== 'CallExpression' || !text || text.value === '') return
          if (!['misuse', 'developerError', 'invalidResponse'].includes(callee.name)) return
          let what = "''"
          const options = third?.properties ?? []
          const at = options.findIndex(({ key }) => key?.name === 'what')
          if (callee.name === 'misuse' && third) what = source(third)
          else if (at >= 0) what = source(options[at].value)
          if (callee.name === 'misuse' || (at === 0 && options.length === 1))
            written.remove(text.end, (third ?? text).end)
          else if (at >= 0) written.remove(options[at].start, options[at + 1]?.start ?? options[at].end)
          written.appendLeft(text.start, '__DEV ? ').appendLeft(text.end, ` : ${what}`)
        },
      })
      if (!written.hasChanged()) return null
      written.prepend(`import { DEV as __DEV } from ${JSON.stringify(dev)}\n`)
      return { code: written.toString(), map: written.generateMap({ hires: 'boundary' }) }
    },
  }
}

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
      // A program is run, not imported: its calls are its purpose.
      if ([program, worker].some(path => chunk.facadeModuleId?.endsWith(path))) return null
      // Parsers are put together by calls; each is loaded alone, when it is used.
      if (loadedLater.some(name => chunk.moduleIds.includes(`\0${name}`))) return null
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
    resolveId: id => (id in inside ? `\0${inside[id]}` : null),
    async load(id) {
      const name = id.slice(1)
      if (id[0] !== '\0' || !(name in exportsInside)) return null
      const { outputFiles, metafile } = await build({
        stdin: { contents: exportsInside[name], resolveDir: import.meta.dirname },
        bundle: true,
        format: 'esm',
        // Node's modules are left out where a package can do without.
        platform: 'browser',
        target: 'es2022',
        minify: true,
        write: false,
        metafile: true,
      })
      const files = Object.keys(metafile.inputs).map(path => resolve(import.meta.dirname, path))
      emitNotices(this, files)
      return { code: outputFiles[0].text, meta: { files } }
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
      for (const { require, ...modules } of Object.values(exports)) {
        for (const condition of ['node', 'default']) {
          const path = require?.[condition]
          if (path === undefined) continue
          const directive = path === './dist/react.cjs' ? "'use client';\n" : ''
          const module = posix.relative(posix.dirname(path), modules[condition])
          const source = `${directive}module.exports = require('./${module}')\n`
          this.emitFile({ type: 'asset', fileName: posix.relative('dist', path), source })
        }
      }
    },
  }
}

/** Public files of jose that export what is used of it. */
const filesOfJose = {
  createLocalJWKSet: 'jose/jwks/local',
  decodeJwt: 'jose/jwt/decode',
  errors: 'jose/errors',
  exportJWK: 'jose/key/export',
  generateKeyPair: 'jose/key/generate/keypair',
  jwtVerify: 'jose/jwt/verify',
  SignJWT: 'jose/jwt/sign',
}

function filesOfRxjs() {
  const index = readFileSync('node_modules/rxjs/dist/esm/index.js', 'utf8')
  const files = {}
  for (const [, names, path] of index.matchAll(/^export \{ (.+?) \} from '\.\/(.+?)'/gm)) {
    for (const name of names.split(', ')) files[name] = `rxjs/${path}`
  }
  return files
}

/**
 * Imports from the file of a dependency that has the export, not from its index: Node would load every file of the package.
 * With the index of rxjs, `import 'rxauth'` takes 88 ms in place of 45, and a bundle for Node, in which that index is a
 * CommonJS file that no bundler can shake, is 28 KB larger (gzip).
 *
 * The exports map of each package lists these files; they are the ones that its index exports, so a class is the same for
 * the app that imports the index. `rxjs/internal/*` is in the map of every rxjs from 7.8.0, the lowest that package.json
 * allows (test/package/node-entries runs all entries on it), and no longer in that of rxjs 9: see
 * docs/contributing/rxjs-9.md.
 */
function importFromFiles() {
  const packages = { jose: filesOfJose, rxjs: filesOfRxjs() }
  return {
    name: 'import-from-files',
    transform(code, id) {
      if (id[0] === '\0') return null
      const rewritten = new MagicString(code)
      for (const node of this.parse(code).body) {
        const files = node.type === 'ImportDeclaration' && packages[node.source.value]
        if (!files) continue
        const imports = node.specifiers.map(({ imported: { name }, local }) => {
          if (files[name] === undefined) this.error(`no file of ${node.source.value} is known to export ${name}`)
          const what = name === 'errors' ? `* as ${local.name}` : `{ ${name} as ${local.name} }`
          return `import ${what} from '${files[name]}'`
        })
        rewritten.overwrite(node.start, node.end, imports.join('\n'))
      }
      return { code: rewritten.toString(), map: null }
    },
  }
}

/** A warning fails the build, save one about types that no entry exports: a consumer never has to write those. */
function warningsFail(level, log, report) {
  if (log.plugin === 'dts' && log.message.includes('private shared type exports')) return
  report(level === 'warn' ? 'error' : level, log)
}

/**
 * Has each `import * as` of a module of ours import a list of its values: `typeof` needs no more, and rollup, which cannot know
 * which names of another file are types, would declare `typeof` of an interface.
 */
function importValues(checker, { statements }, path, text) {
  let rewritten = text
  for (const { importClause, moduleSpecifier } of statements) {
    if (importClause?.namedBindings?.kind !== ts.SyntaxKind.NamespaceImport || moduleSpecifier.text[0] !== '.') continue
    const from = moduleSpecifier.text
    const resolved = symbol => (symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol)
    const names = checker
      .getExportsOfModule(checker.getSymbolAtLocation(moduleSpecifier))
      .filter(symbol => resolved(symbol).flags & ts.SymbolFlags.Value)
      .map(({ name }) => name)
    const list = `export { ${names.join(', ')} } from './${posix.basename(from)}'\n`
    ts.sys.writeFile(join(dirname(path), `${from}.values.d.ts`), list)
    rewritten = rewritten.replace(`'${from}'`, `'${from}.values'`)
  }
  return rewritten
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
      const checker = program.getTypeChecker()
      const { diagnostics } = program.emit(undefined, (path, text, _mark, _report, [source]) => {
        ts.sys.writeFile(path, importValues(checker, source, path, text))
      })
      for (const { messageText } of diagnostics) this.error(ts.flattenDiagnosticMessageText(messageText, '\n'))
    },
    closeBundle() {
      rmSync(outDir, { recursive: true, force: true })
    },
  }
}

const insideByName = () => ({
  name: 'inside-by-name',
  resolveId: source => (/^(\.\.\/)+src\/inside$/.test(source) ? { id: '#inside', external: true } : null),
})

/** In the build for Node it is the file that all entries of a kit share, not one more beside that. */
const insideForNode = () => ({
  name: 'inside-for-node',
  buildStart() {
    this.emitFile({ type: 'chunk', id: ofReact, fileName: 'node/inside.js', preserveSignature: 'allow-extension' })
  },
})

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

/** `--configParts modules` builds only this part, and leaves the others as they are. */
export default ({ configParts = '' }) => {
  // A file whose source is gone would be published for ever.
  if (configParts === '') for (const folder of ['dist', recordFolder]) rmSync(folder, { recursive: true, force: true })
  const modules = {
    input: [...Object.values({ ...both, ...react }), ofReact, worker, ...Object.values(conditional).flat()],
    external,
    // The same promise as `sideEffects: false` in package.json.
    treeshake: { moduleSideEffects: false },
    plugins: [
      chooseByCondition(),
      insideByName(),
      packagesInside(),
      notices(),
      esbuild({ target: 'es2022', tsconfig: 'tsconfig.json' }),
      textsForDevelopers(),
      pureTopLevelCalls(),
      keepUseClient(),
      forRequire(),
    ],
    onLog: warningsFail,
    output: {
      dir: 'dist',
      format: 'es',
      preserveModules: true,
      preserveModulesRoot: 'src',
      hoistTransitiveImports: false,
      // Each module is published as it was written, less its types: a map of it, with the source once more in it, would be
      // two thirds of the package.
      sourcemap: false,
    },
  }
  // Node resolves, reads and compiles each file by itself, so its build has few of them. The entries share chunks: a store or
  // an error of one entry is passed to another. The React entry is not in it: for a client component that a server component
  // imports, Next bundles the file that the server's conditions choose, and the page would have two copies.
  const node = {
    input: { ...both, ...playwright, 'platform-bin': program },
    // One file of it for both builds.
    external: id => external(id) || loadedLater.includes(id),
    treeshake: modules.treeshake,
    plugins: [
      chooseByCondition(),
      insideForNode(),
      packagesInside(),
      notices(),
      esbuild({ target: 'es2022', tsconfig: 'tsconfig.json' }),
      importFromFiles(),
      pureTopLevelCalls(),
    ],
    onLog: warningsFail,
    output: {
      dir: 'dist',
      format: 'es',
      entryFileNames: ({ name }) => (name === 'platform-bin' ? '[name].js' : 'node/[name].js'),
      chunkFileNames: 'node/chunks/[name].js',
      paths: Object.fromEntries(loadedLater.map(name => [name, `../../_virtual/_${inside[name]}.js`])),
      // A folder of this build is as deep as the one of the sources, from which the files of the console are found.
      // `rxauth config`, `init`, `add`, `mcp` and `replay` are loaded when they are asked for, from one file.
      manualChunks(id) {
        // What plays recordings has the kit, without which a platform and the other commands start.
        if (/\/src\/(?:cli\/)?replay\/(?!replay\.)/.test(id)) return 'replaying'
        if (/^\0(?:diff|jsonc-parser|minisearch|to-json-schema)$/.test(id)) return 'command'
        const [, folder] = /\/src\/(?:platform\/node|cli)\/(?:(project-config|init|add|user-app|mcp)\/)?/.exec(id) ?? [
          null,
          null,
        ]
        return folder === null ? null : folder === undefined ? 'listening' : 'command'
      },
      onlyExplicitManualChunks: true,
      experimentalMinChunkSize: 20_000,
      hoistTransitiveImports: false,
      minifyInternalExports: false,
    },
  }
  const declarations = 'dist/.declarations'
  const types = {
    input: Object.fromEntries(
      Object.entries(entries).map(([name, file]) => [name, join(declarations, file.replace(/\.ts$/, '.d.ts'))]),
    ),
    external,
    plugins: [declareAll(declarations), insideByName(), dts()],
    onLog: warningsFail,
    // The same declarations for `import` and for `require`: the module is one, and Node loads it by either.
    output: ['d.ts', 'd.cts'].map(ending => ({
      dir: 'dist',
      format: 'es',
      entryFileNames: `[name].${ending}`,
      chunkFileNames: `types/[name].${ending}`,
      minifyInternalExports: false,
    })),
  }
  const jest = {
    input: required,
    external,
    plugins: [packagesInside(), notices(), esbuild({ target: 'es2022', tsconfig: 'tsconfig.json' })],
    onLog: warningsFail,
    output: {
      dir: 'dist/testing',
      format: 'cjs',
      exports: 'auto',
      entryFileNames: '[name].cjs',
      chunkFileNames: '[name].cjs',
    },
  }
  const parts = { modules, node, types, jest }
  for (const [name, { plugins }] of Object.entries(parts))
    if (plugins !== types.plugins) plugins.push(buildRecord(name))
  return Object.entries(parts).flatMap(([name, part]) => (configParts === '' || configParts === name ? [part] : []))
}
