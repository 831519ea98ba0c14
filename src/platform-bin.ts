#!/usr/bin/env node
import { processTerminal } from './platform/node/terminal'
import { run } from './platform/node/run'

// The reader of a pipe, such as `head`, may end first. What was asked for is done all the same.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })

process.exitCode = await run(process.argv.slice(2), processTerminal())
