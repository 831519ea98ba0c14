import { readArguments } from '../../src/cli/arguments'

const nothing = {
  kind: 'dev',
  isStrict: false,
  opens: false,
  isJson: false,
  logs: false,
  allowedHosts: [],
  allowedOrigins: [],
  webhooks: [],
  command: [],
}

describe('the arguments of rxauth', () => {
  it.each([
    [['dev'], nothing],
    [['dev', '--port', '0'], { ...nothing, port: 0 }],
    [
      ['dev', '--port=4000', '--', 'npm', 'start', '--', '--help'],
      { ...nothing, port: 4000, command: ['npm', 'start', '--', '--help'] },
    ],
    [['dev', '--strict', '--port', '1', '--port', '2'], { ...nothing, port: 2, isStrict: true }],
    [
      ['dev', '--allow-host', 'auth.test', '--allow-host=b.test', '--allow-origin', 'https://app.test'],
      { ...nothing, allowedHosts: ['auth.test', 'b.test'], allowedOrigins: ['https://app.test'] },
    ],
    [
      ['dev', '--webhook', 'http://localhost:3000/hook', '--webhook=http://localhost:3001/hook?a=b=c'],
      { ...nothing, webhooks: ['http://localhost:3000/hook', 'http://localhost:3001/hook?a=b=c'] },
    ],
    [['dev', '--wire', '2026'], { ...nothing, wire: '2026' }],
    [['dev', '--wire', '2.8.86'], { ...nothing, wire: '2.8.86' }],
    [['dev', '--wire=2.8.18'], { ...nothing, wire: '2.8.18' }],
    [
      ['dev', '--host', '0.0.0.0', '--data', 'a.db', '--config=c.json', '--seed', 'none', '--open', '--json', '--log'],
      {
        ...nothing,
        host: '0.0.0.0',
        data: 'a.db',
        config: 'c.json',
        seed: 'none',
        opens: true,
        isJson: true,
        logs: true,
      },
    ],
    [['--help'], { kind: 'help', command: null }],
    [['-h'], { kind: 'help', command: null }],
    [['help'], { kind: 'help', command: null }],
    [['help', 'seed'], { kind: 'help', command: 'seed' }],
    [['dev', '-h'], { kind: 'help', command: 'dev' }],
    [['reset', '--yes', '--help'], { kind: 'help', command: 'reset' }],
    [['--version'], { kind: 'version' }],
    [['-v'], { kind: 'version' }],
    [['dev', '--version'], { kind: 'version' }],
    [['seed'], { kind: 'seed' }],
    [['seed', '--data', 'a.db', '--seed', 'people.json'], { kind: 'seed', data: 'a.db', seed: 'people.json' }],
    [['init'], { kind: 'init', isDryRun: false, isSure: false }],
    [
      ['init', '--framework', 'solid', '--dry-run', '-y'],
      { kind: 'init', framework: 'solid', isDryRun: true, isSure: true },
    ],
    [['reset'], { kind: 'reset', isSure: false }],
    [['reset', '-y', '--config', 'c.ts'], { kind: 'reset', isSure: true, config: 'c.ts' }],
    [['types', '--out', 'types.d.ts'], { kind: 'types', out: 'types.d.ts' }],
    [['replay', 'a.json'], { kind: 'replay', file: 'a.json', asksWhy: false, isStrict: false, minimises: false }],
    [
      ['replay', '--minimise', '-', '--keep', '3', '--keep=17'],
      { kind: 'replay', file: '-', asksWhy: false, isStrict: false, minimises: true, keep: 17 },
    ],
    [
      ['replay', '--why', '--strict', 'a.json'],
      { kind: 'replay', file: 'a.json', asksWhy: true, isStrict: true, minimises: false },
    ],
  ])('%j are understood', (given, expected) => expect(readArguments(given)).toEqual(expected))

  it.each([
    [[], 'the command is missing: init, add, dev, seed, reset, mcp, types, config, replay, help'],
    [['sede'], '"sede" is not a command of rxauth; did you mean seed?'],
    [['restart everything'], '"restart everything" is not a command of rxauth\n'],
    [['help', 'devel'], '"devel" is not a command of rxauth; did you mean dev?'],
    [['help', 'dev', 'seed'], 'help takes one command, not "seed" besides'],
    [['dev', '--strict=yes'], 'unknown option "--strict=yes": --strict takes no value'],
    [['dev', '--prot', '1'], 'unknown option "--prot"; did you mean --port?'],
    [['dev', '--prot=1'], 'unknown option "--prot=1"; did you mean --port?'],
    [['dev', '--alow-hosts', 'a'], 'unknown option "--alow-hosts"; did you mean --allow-host?'],
    [['dev', '--something-else-altogether'], 'unknown option "--something-else-altogether"; a command comes after --'],
    [['dev', '-p', '1'], 'unknown option "-p"'],
    [['dev', 'npm'], 'unknown option "npm"; a command comes after --'],
    [['dev', '--yes'], 'unknown option "--yes"'],
    [['reset', '--port', '1'], 'unknown option "--port"'],
    [['dev', '--'], 'the command after -- is missing'],
    [['dev', '--', '', 'npm'], 'the command after -- is missing'],
    [['dev', '--host', ''], '--host needs a value'],
    [['dev', '--data='], '--data needs a value'],
    [['seed', '--', 'npm'], 'rxauth seed runs no command after --'],
    [['dev', '--port'], '--port needs a value'],
    [['dev', '--port', '65536'], '--port takes a number from 0 to 65535, not "65536"'],
    [['dev', '--port', '1e3'], 'not "1e3"'],
    [['dev', '--port', '--strict'], '--port needs a value'],
    [['dev', '--data', '--strict'], '--data needs a value'],
    [['dev', '--host'], '--host needs a value'],
    [['dev', '--wire', '2025'], '--wire takes one of 2.8.18, 2.8.86, 2026, not "2025"'],
    [['dev', '--wire'], '--wire needs a value'],
  ])('%j are not, and the message says why', (given, message) => {
    expect(readArguments(given)).toEqual({ kind: 'misunderstood', message: expect.stringContaining(message) })
  })
})
