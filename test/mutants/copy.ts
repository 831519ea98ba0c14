import { spawn, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { systemClock } from '../../src/core/clock'

export const root = join(__dirname, '../..')

export type Outcome = 'passed' | 'failed' | 'out of time'

export function git(...words: string[]): string[] {
  return spawnSync('git', words, { cwd: root, encoding: 'utf8' }).stdout.split('\0').filter(Boolean)
}

/** How the program ends. One that takes longer is killed, with all that it has started. */
export function outcomeOf(words: readonly string[], cwd: string, millis: number): Promise<Outcome> {
  return new Promise(resolve => {
    const child = spawn(process.execPath, words, { cwd, detached: true, stdio: 'ignore' })
    let isLate = false
    const cancel = systemClock.setTimeout(() => {
      isLate = true
      // Ends jest's workers too: one in an endless loop would outlive jest.
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
    }, millis)
    child.on('exit', code => {
      cancel()
      resolve(isLate ? 'out of time' : code === 0 ? 'passed' : 'failed')
    })
  })
}

/** A copy of the tree, whose sources change and whose tests run. */
export class Copy {
  readonly folder = mkdtempSync(join(tmpdir(), 'rxauth-mutants-'))
  readonly #workers: string
  readonly #millis: number

  /** `millis`: for one run of tests on changed sources. */
  constructor(workers: string, millis: number) {
    this.#workers = workers
    this.#millis = millis
    const files = git('ls-files', '-z')
    for (const file of files) cpSync(join(root, file), join(this.folder, file))
    // Folders of other versions have packages of their own.
    for (const folder of files.filter(file => /(^|\/)package\.json$/.test(file)).map(dirname)) {
      const packages = join(root, folder, 'node_modules')
      if (existsSync(packages)) symlinkSync(packages, join(this.folder, folder, 'node_modules'))
    }
  }

  read(file: string): string {
    return readFileSync(join(this.folder, file), 'utf8')
  }

  /** What `run` comes to with other texts of some files, which then have their own again. */
  async with(texts: ReadonlyMap<string, string>, run: () => Promise<Outcome>): Promise<Outcome> {
    const own = new Map([...texts.keys()].map(file => [file, this.read(file)]))
    this.#write(texts)
    try {
      return await run()
    } finally {
      this.#write(own)
    }
  }

  tests(...words: readonly string[]): Promise<Outcome> {
    return outcomeOf(this.#jest('--bail', ...words), this.folder, this.#millis)
  }

  /** The tests that fail in the copy as it is: they would count every change as noticed. */
  async failing(...words: readonly string[]): Promise<readonly string[]> {
    const file = join(this.folder, '.tmp/results.json')
    rmSync(file, { force: true })
    // Every test, on whatever machine.
    const outcome = await outcomeOf(this.#jest('--json', '--outputFile', file, ...words), this.folder, 2 ** 31 - 1)
    return outcome === 'passed'
      ? []
      : existsSync(file)
        ? failedIn(readFileSync(file, 'utf8'))
        : [`jest ${words.join(' ')}`]
  }

  dispose(): void {
    rmSync(this.folder, { recursive: true, force: true })
  }

  #write(texts: ReadonlyMap<string, string>): void {
    for (const [file, text] of texts) writeFileSync(join(this.folder, file), text)
  }

  #jest(...words: readonly string[]): readonly string[] {
    const jest = join(root, 'node_modules/jest/bin/jest.js')
    const projects = ['--selectProjects', 'unit', 'react']
    return [jest, ...projects, '--silent', '--passWithNoTests', `--maxWorkers=${this.#workers}`, ...words]
  }
}

interface Results {
  readonly testResults: readonly {
    readonly name: string
    readonly status: string
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[]
  }[]
}

/** The files that fail, each with its first failed test, if it came to one. */
export function failedIn(results: string): readonly string[] {
  const { testResults } = JSON.parse(results) as Results
  return testResults
    .filter(({ status }) => status === 'failed')
    .map(({ name, assertionResults }) => {
      const failed = assertionResults.find(({ status }) => status === 'failed')
      return failed ? `${name} › ${failed.fullName}` : name
    })
}
