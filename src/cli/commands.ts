import { configLevels, defaultPort, defaultWire, wires } from '../platform-inside'

/** The frameworks whose guides have files, by the names of the guides. */
export const frameworkNames = [
  ...(['next', 'vite', 'vue', 'svelte', 'solid', 'angular', 'sveltekit', 'react-router'] as const),
  ...(['express', 'hono', 'cloudflare-workers'] as const),
] as const

export type FrameworkName = (typeof frameworkNames)[number]

export interface CommandOption {
  /** The name of its value in the help; switches have none. */
  readonly value?: string
  readonly short?: string
  readonly text: string
  /** The field of the parsed arguments, where it has another name than the option. */
  readonly as?: string
  /** The values that it takes; any text without them. */
  readonly of?: readonly string[]
  /** The largest number that it takes, and the words for all of them. */
  readonly number?: readonly [most: number, what: string]
  /** Whether each value counts, not only the last one. */
  readonly isList?: true
}

/** Every option of every command, in the order of the help text. The parser and the types of the arguments read it too. */
export const options = {
  port: {
    value: 'N',
    text: `the port to listen on; 0 takes a free one (default ${defaultPort})`,
    number: [65_535, 'a number from 0 to 65535'],
  },
  host: { value: 'ADDRESS', text: 'the address to listen on (default 127.0.0.1); 0.0.0.0 serves the whole network' },
  data: { value: 'FILE', text: 'the SQLite file of the data (default .rxauth/data.sqlite), or "memory"' },
  config: { value: 'FILE', text: 'the configuration (default rxauth.config.ts, .mts, .js, .mjs or .json)' },
  seed: { value: 'FILE', text: 'a module or JSON file with the first users and teams, or "none"' },
  open: { as: 'opens', text: 'opens the console in a browser, or the mailbox where there is no console' },
  json: { as: 'isJson', text: 'prints one line of JSON for tools, and nothing else on standard output' },
  log: { as: 'logs', text: 'prints a line per request, each failure with its reason' },
  wire: {
    value: 'RELEASE',
    text: `speaks like this release of the hosted platform: ${wires.join(', ')} (default ${defaultWire})`,
    of: wires,
  },
  strict: {
    as: 'isStrict',
    text: 'refuses what the hosted platform refuses: anonymous sign-up and the mailbox page are off; with replay: compares all decisions, also of another version',
  },
  'allow-host': {
    as: 'allowedHosts',
    isList: true,
    value: 'NAME',
    text: 'a host name of the platform besides localhost, such as auth.test; may be given again',
  },
  'allow-origin': {
    as: 'allowedOrigins',
    isList: true,
    value: 'ORIGIN',
    text: 'an origin besides those of this machine, such as https://app.test, whose pages may read the mailbox, use secret keys and own projects; may be given again',
  },
  webhook: {
    as: 'webhooks',
    isList: true,
    value: 'URL',
    text: 'an address of an app on this machine that receives webhooks; may be given again',
  },
  yes: { as: 'isSure', short: 'y', text: 'does not ask' },
  out: { value: 'FILE', text: 'the file to write (default src/rxauth.d.ts, or rxauth.d.ts without a folder src)' },
  file: { value: 'FILE', text: 'the configuration of the project as JSON (default rxauth.project.json)' },
  level: {
    value: 'LEVEL',
    text: `the level of the configuration: ${configLevels.join(', ')} (default branch; the others need the admin key)`,
    of: configLevels,
  },
  framework: {
    value: 'NAME',
    text: `the guide: ${frameworkNames.join(', ')} (default: what package.json names)`,
    of: frameworkNames,
  },
  to: { value: 'FOLDER', text: 'the folder of the files (default src/auth; auth or app/auth without a folder src)' },
  update: {
    as: 'isUpdate',
    text: 'gives files that you have not changed since they were copied the text of this version',
  },
  'dry-run': { as: 'isDryRun', text: 'says what would change, and changes nothing' },
  url: { value: 'URL', text: 'the address of the running platform (default: the one that runs in this project)' },
  why: { as: 'asksWhy', text: 'says why each session has ended, and plays nothing' },
  minimise: { as: 'minimises', text: 'prints a test with the events alone that lead to one decision' },
  keep: {
    value: 'EVENT',
    text: 'the number of the event with the decision for --minimise (default: the last end of a session)',
    number: [999_999, 'the number of an event'],
  },
  mended: {
    value: 'FOLDER',
    text: 'the folder of an rxauth without the bug: the test of --minimise fails with this rxauth and passes with that one',
  },
  version: { short: 'v', text: 'prints the version' },
  help: { short: 'h', text: 'shows this text' },
} as const satisfies Readonly<Record<string, CommandOption>>

export type OptionName = keyof typeof options

interface Command {
  readonly usage: string
  readonly summary: string
  readonly options: readonly OptionName[]
  /** Text of the help below the options. */
  readonly more?: string
}

const where = ['data', 'config'] as const

export const commands = {
  init: {
    usage: 'rxauth init [options]',
    summary: 'writes the sign-in of a guide into the app of this folder, after a question',
    options: ['framework', 'dry-run', 'yes', 'help'],
    more: `It writes the files of the guide for the app's framework, a script dev:auth and a test, and installs what is missing. A file that
exists stays as it is: what it lacks is printed.

Example: rxauth init --framework vite --yes`,
  },
  add: {
    usage: 'rxauth add [screen…] [options]',
    summary: 'copies screens into the app of this folder, after a question, or lists them',
    options: ['to', 'update', 'dry-run', 'yes', 'help'],
    more: `Without a name it lists them. The screens are plain React, with one CSS file and one file of texts: they are yours to
change. For a file that exists, what is new in this version is printed, without your own changes, and yours stays as it is.

Example: rxauth add sign-in account user-button`,
  },
  dev: {
    usage: 'rxauth dev [options] [-- command…]',
    summary: 'starts a local authentication platform: no account, no Docker, no network',
    options: [
      ...(['port', 'host', 'data', 'config', 'seed', 'open', 'json', 'log', 'wire', 'strict'] as const),
      ...(['allow-host', 'allow-origin', 'webhook', 'version', 'help'] as const),
    ],
    more: `A command after -- runs with the platform's address and keys in its environment, and the platform ends with it. It is given
STACK_API_URL, STACK_PROJECT_ID and STACK_PUBLISHABLE_CLIENT_KEY, each also with NEXT_PUBLIC_ and VITE_ before its name, and
STACK_SECRET_SERVER_KEY, STACK_SUPER_SECRET_ADMIN_KEY and STACK_WEBHOOK_SECRET; the keys and the address with HEXCLAVE, too.

Example: rxauth dev -- npm run dev`,
  },
  seed: {
    usage: 'rxauth seed [options]',
    summary: 'adds to the data file the people and teams of the configuration that are missing',
    options: [...where, 'seed', 'help'],
    more: 'The data file must not be open: end `rxauth dev` before.',
  },
  reset: {
    usage: 'rxauth reset [options]',
    summary: 'deletes the data file, after a question',
    options: [...where, 'yes', 'help'],
  },
  mcp: {
    usage: 'rxauth mcp [options]',
    summary: 'gives coding agents the running platform, over the Model Context Protocol',
    options: ['url', 'config', 'help'],
    more: `An editor starts it and speaks to it over standard input and output. It starts no platform: run \`rxauth dev\` beside it.

Example: rxauth mcp --url http://localhost:8102`,
  },
  types: {
    usage: 'rxauth types [options]',
    summary: "writes the project's permissions and OAuth providers as types of the kit",
    options: [...where, 'out', 'help'],
    more: 'They are read from the platform that runs, or else from the data file, or else from the configuration.',
  },
  config: {
    usage: 'rxauth config pull|push|diff',
    summary: "writes a project's configuration to a file, and sends that file back",
    options: ['file', 'level', 'dry-run', 'help'],
    more: `pull writes the file, push sends it, diff says what push would change, and ends with 1 if that is something. The project is named
by the environment, as for a kit: STACK_API_URL, STACK_PROJECT_ID, and STACK_SUPER_SECRET_ADMIN_KEY or STACK_SECRET_SERVER_KEY,
or the same with HEXCLAVE in the place of STACK.
In a workflow on GitHub, push says which commit the file is of.

Example: rxauth config push --file auth/project.json`,
  },
  replay: {
    usage: 'rxauth replay FILE [options]',
    summary: 'plays a recording, and names the first decision that differs',
    options: ['why', 'strict', 'minimise', 'keep', 'mended', 'help'],
    more: `FILE has what JSON.stringify(await recording.stop()) gave, zipped or not; "-" is standard input. It ends with 0 if all decisions
are as recorded, with 1 at the first that differs, and with 2 if the file cannot be played.

Example: rxauth replay report.json --minimise --keep 17 > report.test.mjs`,
  },
  help: { usage: 'rxauth help [command]', summary: 'shows this text, or that of a command', options: [] },
} as const satisfies Readonly<Record<string, Command>>

export type CommandName = keyof typeof commands

export function isCommand(text: string): text is CommandName {
  return Object.hasOwn(commands, text)
}

/** The help text of a command, or of the program. */
export function helpOf(name: CommandName | null): string {
  if (name !== null && name !== 'help') {
    const { usage, summary, options: known, more }: Command = commands[name]
    const rows = known.map(name => {
      const { short, value, text }: CommandOption = options[name]
      const flag = `${short === undefined ? '' : `-${short}, `}--${name}${value === undefined ? '' : ` ${value}`}`
      return [flag, text] as const
    })
    const sentence = summary.slice(0, 1).toUpperCase() + summary.slice(1)
    return `Usage: ${usage}\n\n${sentence}.\n\n${table(rows)}${more === undefined ? '' : `\n${more}\n`}`
  }
  const rows = Object.values<Command>(commands).map(({ usage, summary }) => [usage, summary] as const)
  return `Usage: rxauth <command> [options]

${table(rows)}
rxauth <command> --help says more. The default port is ${defaultPort}.
`
}

function table(rows: readonly (readonly [left: string, right: string])[]): string {
  const width = Math.max(...rows.map(([left]) => left.length)) + 2
  return rows
    .map(([left, right]) => `  ${left.padEnd(width)}${wrapped(right, 116 - width).join(`\n  ${' '.repeat(width)}`)}\n`)
    .join('')
}

/** The lines of a text; a word that is longer than a line has one of its own. */
function wrapped(text: string, width: number): readonly string[] {
  return text.match(new RegExp(`(?! )(?:.{1,${width}}|\\S+)(?= |$)`, 'g')) ?? []
}
