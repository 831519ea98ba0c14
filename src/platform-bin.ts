#!/usr/bin/env node
import { processTerminal } from './platform/node/terminal'
import { run } from './platform/node/run'

process.exitCode = await run(process.argv.slice(2), processTerminal())
