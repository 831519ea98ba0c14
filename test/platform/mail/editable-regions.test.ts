import { tsx, withServer } from '../routes/emails-world'

const source = tsx(`<Container><Subject value="Hi" /><NotificationCategory value="Transactional" />
  <p title="greeting">Hello {variables.name}</p>
  <Text>
    Bye
  </Text>
  <b>Bye</b>
</Container>`)
const theme = 'export function EmailTheme({ children }) { return <main><i>Ours</i>{children}</main> }'

interface Rendered {
  readonly html: string
  readonly editable_regions?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

async function rendered(more: object): Promise<Rendered> {
  const body = { template_tsx_source: source, theme_tsx_source: theme, ...more }
  return (await withServer().asAdmin('POST /emails/render-email', body)).body as Rendered
}

describe('a mail that is rendered for an editor', () => {
  it('has a mark around each text and each expression, and a region of each text', async () => {
    const { html, editable_regions: regions = {} } = await rendered({ editable_markers: true })
    expect(html).toContain(
      '<p title="greeting"><!-- STACK_EDITABLE_START t0 -->Hello <!-- STACK_EDITABLE_END t0 -->' +
        `<!-- STACK_EXPR_START ${btoa('variables.name')} --><!-- STACK_EXPR_END --></p>`,
    )
    expect(html).toContain('<i>Ours</i>')
    expect(Object.keys(regions)).toEqual(['t0', 't1', 't2'])
    const at = source.indexOf('Hello ')
    expect(regions['t0']).toEqual({
      id: 't0',
      loc: { start: at, end: at + 6, line: 5, column: 22 },
      originalText: 'Hello ',
      // As the running server named this very text.
      textHash: '2ec5a3f0c2fc3e6d',
      jsxPath: ['EmailTemplate', 'Container', 'p'],
      parentElement: { tagName: 'p', props: { title: 'greeting' } },
      sourceContext: {
        before: expect.stringMatching(/<p title="greeting">$/) as string,
        after: expect.stringMatching(/^\{variables\.name\}<\/p>/) as string,
      },
      siblingIndex: 0,
      occurrenceCount: 1,
      occurrenceIndex: 1,
      sourceFile: 'template',
    })
  })

  it('counts equal texts, and finds a text without the lines around it', async () => {
    const { editable_regions: regions = {} } = await rendered({ editable_markers: true })
    const { t1, t2 } = regions
    expect(
      [t1, t2].map(each => [each?.['originalText'], each?.['occurrenceCount'], each?.['occurrenceIndex']]),
    ).toEqual([
      ['Bye', 2, 1],
      ['Bye', 2, 2],
    ])
    for (const { loc } of [t1, t2] as { readonly loc: { readonly start: number; readonly end: number } }[])
      expect(source.slice(loc.start, loc.end)).toBe('Bye')
  })

  it.each([
    ['theme', ['theme']],
    ['both', ['template', 'template', 'template', 'theme']],
  ])('has regions of the source that is edited: %s', async (editable_source, files) => {
    const { editable_regions: regions = {} } = await rendered({ editable_markers: true, editable_source })
    expect(Object.values(regions).map(each => each['sourceFile'])).toEqual(files)
  })
})
