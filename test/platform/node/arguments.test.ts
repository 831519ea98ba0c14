import { readArguments } from '../../../src/platform/node/arguments'

const doors = { wire: '2.8.18', allowedHosts: [], allowedOrigins: [], webhooks: [] }

describe('the arguments of rxauth', () => {
  it.each([
    [['dev'], { kind: 'dev', port: 8102, isStrict: false, ...doors, command: [] }],
    [['dev', '--port', '0'], { kind: 'dev', port: 0, isStrict: false, ...doors, command: [] }],
    [
      ['dev', '--port=4000', '--', 'npm', 'start', '--', '--help'],
      { kind: 'dev', port: 4000, isStrict: false, ...doors, command: ['npm', 'start', '--', '--help'] },
    ],
    [['dev', '--strict', '--port', '1'], { kind: 'dev', port: 1, isStrict: true, ...doors, command: [] }],
    [
      ['dev', '--allow-host', 'auth.test', '--allow-host=b.test', '--allow-origin', 'https://app.test'],
      {
        kind: 'dev',
        port: 8102,
        isStrict: false,
        wire: '2.8.18',
        allowedHosts: ['auth.test', 'b.test'],
        allowedOrigins: ['https://app.test'],
        webhooks: [],
        command: [],
      },
    ],
    [
      ['dev', '--webhook', 'http://localhost:3000/hook', '--webhook=http://localhost:3001/hook?a=b=c'],
      {
        kind: 'dev',
        port: 8102,
        isStrict: false,
        ...doors,
        webhooks: ['http://localhost:3000/hook', 'http://localhost:3001/hook?a=b=c'],
        command: [],
      },
    ],
    [['dev', '--wire', '2026'], { kind: 'dev', port: 8102, isStrict: false, ...doors, wire: '2026', command: [] }],
    [['dev', '--wire=2.8.18'], { kind: 'dev', port: 8102, isStrict: false, ...doors, command: [] }],
    [['--help'], { kind: 'help' }],
    [['dev', '-h'], { kind: 'help' }],
  ])('%j are understood', (given, expected) => expect(readArguments(given)).toEqual(expected))

  it.each([
    [[], 'what to do is missing'],
    [['serve'], '"serve" is not something that rxauth does'],
    [['dev', '--strict=yes'], 'unknown option "--strict=yes"'],
    [['dev', '--prot', '1'], 'unknown option "--prot"'],
    [['dev', 'npm'], 'unknown option "npm"; a command comes after --'],
    [['dev', '--'], 'the command after -- is missing'],
    [['dev', '--port'], '--port takes a number from 0 to 65535, not ""'],
    [['dev', '--port', '65536'], 'not "65536"'],
    [['dev', '--port', '1e3'], 'not "1e3"'],
    [['dev', '--wire', '2025'], '--wire takes 2.8.18 or 2026, not "2025"'],
    [['dev', '--wire'], 'not ""'],
  ])('%j are not, and the message says why', (given, message) => {
    expect(readArguments(given)).toEqual({ kind: 'misunderstood', message: expect.stringContaining(message) })
  })
})
