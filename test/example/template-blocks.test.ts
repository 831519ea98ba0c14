import { textsOf, withText } from '../../react/example/admin/emails/blocks'
import { previewHtml } from '../../react/example/admin/emails/preview-html'

const content = {
  root: { type: 'EmailLayout', data: { childrenIds: ['title', 'columns', 'gone'] } },
  title: { type: 'Heading', data: { props: { text: 'Welcome to {{ projectDisplayName }}' } } },
  columns: {
    type: 'ColumnsContainer',
    data: { props: { columns: [{ childrenIds: ['left'] }, { childrenIds: ['button', 'root'] }] } },
  },
  left: {
    type: 'Text',
    data: { style: { textAlign: 'center' }, props: { text: 'Hello\n{{userDisplayName}} {{ odd }}' } },
  },
  button: { type: 'Button', data: { props: { text: 'Go', url: '{{ magicLink }}' } } },
}
const samples = { projectDisplayName: '<Shop>', userDisplayName: 'Ada', magicLink: 'https://example.com/?a="b"&c' }

describe('the texts of a template', () => {
  it('come in the order of the mail, each once, whatever holds them', () => {
    expect(textsOf(content)).toEqual([
      { blockId: 'title', label: 'Heading', text: 'Welcome to {{ projectDisplayName }}' },
      { blockId: 'left', label: 'Text', text: 'Hello\n{{userDisplayName}} {{ odd }}' },
      { blockId: 'button', label: 'Button', text: 'Go' },
    ])
  })

  it('are numbered where there are several of a kind', () => {
    const two = {
      root: { type: 'EmailLayout', data: { childrenIds: ['a', 'b'] } },
      a: { type: 'Text', data: { props: { text: 'one' } } },
      b: { type: 'Text', data: { props: { text: 'two' } } },
    }
    expect(textsOf(two).map(({ label }) => label)).toEqual(['Text 1', 'Text 2'])
  })

  it('change one at a time, and nothing else', () => {
    const changed = withText(content, 'left', 'Hi')
    expect(changed).toEqual({
      ...content,
      left: { type: 'Text', data: { style: { textAlign: 'center' }, props: { text: 'Hi' } } },
    })
    expect(withText(content, 'nothing', 'Hi')).toBe(content)
  })

  it.each([null, 'text', [], {}, { root: 1 }])('are none in %j', nonsense => {
    expect(textsOf(nonsense)).toEqual([])
    expect(previewHtml(nonsense, samples)).toBe('')
  })
})

describe('the preview of a template', () => {
  it('has samples in the place of variables, and no markup from a text', () => {
    const html = previewHtml(content, samples)
    expect(html).toContain('<h2 style="">Welcome to &lt;Shop&gt;</h2>')
    expect(html).toContain('<p style="text-align:center">Hello<br>Ada {{ odd }}</p>')
    expect(html).toContain('href="https://example.com/?a=&quot;b&quot;&amp;c"')
  })

  it('ends where blocks contain each other', () => {
    const circle = {
      root: { type: 'EmailLayout', data: { childrenIds: ['a'] } },
      a: { type: 'Container', data: { props: { childrenIds: ['root'] } } },
    }
    expect(previewHtml(circle, samples)).toBe('<div style=""><div style=""></div></div>')
  })
})
