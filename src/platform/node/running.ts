import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isRecord } from '../../core/is-record'
import { keepFromGit } from './data-place'

/** Where the project's platform says that it runs. */
function noteOf(project: string): string {
  return join(project, '.rxauth/running.json')
}

/** Leaves a note for the other commands; returns what takes it away. Without it they do not find the platform, no more. */
export function announce(project: string, url: string): () => void {
  const note = noteOf(project)
  const text = JSON.stringify({ url, pid: process.pid })
  try {
    mkdirSync(dirname(note), { recursive: true })
    keepFromGit(dirname(note))
    writeFileSync(note, text)
  } catch {
    return () => undefined
  }
  return () => {
    // A platform that was started after this one has left its own.
    if (read(note) === text) rmSync(note, { force: true })
  }
}

/** The address of the project's platform; null: none runs. */
export async function runningUrl(project: string): Promise<string | null> {
  try {
    const note: unknown = JSON.parse(read(noteOf(project)) ?? 'null')
    if (!isRecord(note) || typeof note['url'] !== 'string' || typeof note['pid'] !== 'number') return null
    // Throws when the process has ended without taking its note away.
    process.kill(note['pid'], 0)
    return (await fetch(`${note['url']}/health`)).ok ? note['url'] : null
  } catch {
    return null
  }
}

function read(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return null
  }
}
