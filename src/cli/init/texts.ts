import { frameworkNames } from '../commands'
import type { FrameworkName } from '../commands'
import { isNothing, linesOf, list, pathsOf } from '../user-app/carry-out'
import { frameworks } from './frameworks'
import type { Plan } from './plan'

/** The text about a plan, before it is carried out. */
export function planText(plan: Plan): string {
  const { framework, writes, adds, installs, stays, notes, byHand } = plan
  return [
    `${frameworks[framework].title}, with the files of docs/guides/${framework}.md\n`,
    hasScreens(framework)
      ? '\nFinished pages with a design: npx rxauth add sign-in account team. The pages below are bare.\n'
      : '',
    isNothing(plan) ? `\nNothing to ${byHand.length > 0 ? 'write or install' : 'do: all of it is there'}.\n` : '',
    list('Writes', pathsOf(writes)),
    list('Adds to package.json', adds),
    list('Runs', linesOf(installs)),
    list('Leaves as they are', stays),
    notes.map(note => `\n${note}\n`).join(''),
  ].join('')
}

function hasScreens(framework: FrameworkName): boolean {
  return ['next', 'vite', 'react-router'].includes(framework)
}

/** The lines that the user adds to files that exist, each with a plus, and the step that brings the page into the app. */
export function handText({ byHand, page, framework }: Plan): string {
  const files = byHand.map(
    ({ place, marked }) =>
      `\nBy hand: ${place} exists and stays as it is. The guide has the text below there. Add the lines with a plus:\n\n${marked}\n`,
  )
  const { entry = '' } = frameworks[framework]
  return files.join('') + (page === undefined ? '' : `\nTo have the page in your app, ${entry}.\n`)
}

/** How a folder without an app of the framework gets one. */
export function newAppText(reason: string, whole: readonly FrameworkName[], named: FrameworkName | undefined): string {
  const asked: readonly FrameworkName[] = named === undefined ? frameworkNames : [named]
  const width = Math.max(...asked.map(name => frameworks[name].title.length)) + 2
  const rows = asked.map(name => `  ${frameworks[name].title.padEnd(width)}${frameworks[name].create}\n`).join('')
  return [
    `rxauth: ${reason}`,
    `Make an app, and run \`npx rxauth init\` in its folder:\n${rows}`,
    whole.length === 0
      ? ''
      : `Or have the whole app of a guide written here: rxauth init --framework ${whole.join(', ')}\n`,
  ].join('')
}
