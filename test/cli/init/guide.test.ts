import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { frameworkNames } from '../../../src/cli/commands'
import { readGuide } from '../../../src/cli/init/guide'
import { blocksOf } from '../../docs/pasted'
import { terminal } from '../terminal'

function guideOf(...words: string[]) {
  const { folder } = terminal().io
  mkdirSync(join(folder, 'guides'))
  const blocks = words.map(each => `\`\`\`ts ${each}\nexport {}\n\`\`\`\n`)
  writeFileSync(
    join(folder, 'guides/a.md'),
    `\`\`\`sh\nnpm install a b\nnpx rxauth dev -- npx a dev\n\`\`\`\n${blocks.join('\n')}`,
  )
  return readGuide('a', folder)
}

describe('the files of a guide', () => {
  // Promise: init-command
  it.each(frameworkNames)('%s are its blocks, with the packages and the command that it shows', name => {
    const { files, command, packages } = readGuide(name)
    const shown = new Map(blocksOf(`docs/guides/${name}.md`).flatMap(({ file, code }) => (file ? [[file, code]] : [])))
    expect(files.length).toBeGreaterThan(0)
    for (const { path, text } of files) expect([path, shown.get(path)]).toEqual([path, text])
    expect(packages).toEqual(expect.arrayContaining(['rxauth', 'rxjs']))
    expect(command ?? '').not.toMatch(/^npx /)
  })

  it('are those without the word "extra"', () => {
    expect(
      guideOf(
        'file:a.ts',
        'no-run',
        'file:b.ts extra',
        'file:c.ts own',
        'file:d.ts else:e.ts',
        'file:f.ts instead:a.ts',
      ),
    ).toEqual({
      command: 'a dev',
      packages: ['a', 'b', 'rxauth', 'rxjs'],
      devPackages: [],
      files: [
        { path: 'a.ts', text: 'export {}\n', isOwn: false },
        { path: 'c.ts', text: 'export {}\n', isOwn: true },
        { path: 'd.ts', text: 'export {}\n', isOwn: false, otherPath: 'e.ts' },
        { path: 'f.ts', text: 'export {}\n', isOwn: false, insteadOf: 'a.ts' },
      ],
    })
  })

  it.each(['../a.ts', 'src/../../a.ts', '/etc/a.ts', 'C:/a.ts', 'a\\b.ts', './a.ts', 'src//a.ts', '..', 'file:'])(
    'are inside of the app, not %s',
    path => {
      for (const words of [`file:${path}`, `file:a.ts else:${path}`])
        expect(() => guideOf(words)).toThrow('the guide has a file outside of the app')
    },
  )
})
