#!/usr/bin/env node
import { processTerminal } from './cli/terminal'
import { run } from './cli/run'

process.exitCode = await run(process.argv.slice(2), processTerminal())
