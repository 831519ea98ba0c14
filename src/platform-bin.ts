#!/usr/bin/env node
import { run } from './platform/node/run'

const signals = ['SIGINT', 'SIGTERM'] as const

process.exitCode = await run(process.argv.slice(2), {
  out: text => process.stdout.write(text),
  err: text => process.stderr.write(text),
  onSignal(listener) {
    for (const signal of signals) process.on(signal, listener)
    return () => {
      for (const signal of signals) process.off(signal, listener)
    }
  },
  isInteractive: process.stdin.isTTY,
  environment: process.env,
})
