import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isRecord, orUndefined, parseJson } from '../core/values'
import { keepFromGit } from './data-place'

function noteOf(project: string): string {
  return join(project, '.rxauth/running.json')
}

/**
 * Writes that file for the other commands; returns a function that deletes it. If it cannot be written, they only do not
 * find the platform.
 */
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
    // A platform started later has overwritten the file.
    if (read(note) === text) rmSync(note, { force: true })
  }
}

/** The address of the project's running platform; null if none runs. */
export async function runningUrl(project: string): Promise<string | null> {
  const url = announcedUrl(project)
  const answer = url === null ? null : await fetch(`${url}/health`).catch(() => null)
  return answer?.ok ? url : null
}

/** The address in that file, if its process runs; it may be of any host. */
export function announcedUrl(project: string): string | null {
  const note = parseJson(read(noteOf(project)) ?? '')
  if (!isRecord(note) || typeof note['url'] !== 'string' || typeof note['pid'] !== 'number') return null
  // A process that was killed has not deleted its file.
  return isRunning(note['pid']) ? note['url'] : null
}

/** Whether a process runs, also one of another user. */
export function isRunning(id: number): boolean {
  try {
    return id > 0 && process.kill(id, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

function read(file: string): string | undefined {
  return orUndefined(() => readFileSync(file, 'utf8'))
}
