/**
 * Moves the line of the test itself to the top of a failed assertion's stack, where jest takes the line that it points at
 * from. Otherwise that is the inside of whatever function the test asserts with, which says nothing about the test.
 *
 * Errors of the code under test keep their stacks: theirs begin where it went wrong.
 */
export function pointAtTest(error: unknown, testPath: string): void {
  if (!(typeof error === 'object' && error !== null && 'matcherResult' in error && 'stack' in error)) return
  const lines = String(error.stack).split('\n')
  // A message may quote another stack; the frames are at the end.
  const frames = lines.length - [...lines].reverse().findIndex(line => !/^\s+at /.test(line))
  // The outermost one is in the test, those before it in functions beside it.
  const own = lines.map((line, index) => index >= frames && line.includes(`${testPath}:`)).lastIndexOf(true)
  if (own !== -1) error.stack = [...lines.slice(0, frames), ...lines.splice(own, 1), ...lines.slice(frames)].join('\n')
}
