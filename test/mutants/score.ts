import type { Outcome } from './copy'

/** How the tests of a changed file ended. */
export interface Judged {
  readonly file: string
  readonly outcome: Outcome
}

/**
 * The score of each folder and of all: of the changes that the tests have judged, those that they noticed. A change whose tests ran out
 * of time is neither noticed nor survived, and counted apart.
 */
export function scored(judged: readonly Judged[]): { readonly lines: readonly string[]; readonly percent: number } {
  const folders = [...new Set(judged.map(({ file }) => folderOf(file)))].sort()
  const lines = folders.map(folder => {
    const { noticed, all, late } = counted(judged.filter(({ file }) => folderOf(file) === folder))
    return `${folder}  ${noticed} of ${all}${late > 0 ? `, ${late} out of time` : ''}`
  })
  const { noticed, all, late } = counted(judged)
  const percent = (100 * noticed) / all
  return { lines: [...lines, `${percent.toFixed(1)} % noticed, ${late} out of time`], percent }
}

function counted(judged: readonly Judged[]) {
  const count = (wanted: Outcome) => judged.filter(({ outcome }) => outcome === wanted).length
  const [noticed, late] = [count('failed'), count('out of time')]
  return { noticed, late, all: judged.length - late }
}

function folderOf(file: string): string {
  return file.split('/').slice(0, -1).slice(0, 2).join('/')
}
