import { createAdminApp } from 'rxauth/admin'
import { createPlatform } from 'rxauth/platform'
import { previewHtml, textsOf, withText } from '../../react/example/admin/emails/preview-html'
import { en } from '../../react/example/words/en'
import { wordsFor } from '../../react/example/words/use-words'

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
  it('come in the order of the mail, each once, in any container', () => {
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

  it.each([null, 'text', [], {}, { root: 1 }])('are empty for %j', nonsense => {
    expect(textsOf(nonsense)).toEqual([])
    expect(previewHtml(nonsense, samples)).toBe('')
  })
})

describe('the preview of a template', () => {
  it('has samples in the place of variables, and no markup from a text', () => {
    const html = previewHtml(content, samples)
    expect(html).toContain('<h2>Welcome to &lt;Shop&gt;</h2>')
    expect(html).toContain("<p style={{ textAlign: 'center' }}>Hello<br />Ada &#123;&#123; odd &#125;&#125;</p>")
    expect(html).toContain('href="https://example.com/?a=&quot;b&quot;&amp;c"')
  })

  it('is accepted by the platform, for the five mails that it has and for every kind of block', async () => {
    const platform = createPlatform()
    const admin = createAdminApp(platform.adminOptions)
    const style = { textAlign: 'center', fontSize: 20, fontWeight: 'bold' }
    const kinds = ['Heading', 'Text', 'Button', 'Image', 'Avatar', 'Divider', 'Spacer', 'Container']
    const all = Object.fromEntries(
      kinds.map(type => [
        type,
        { type, data: { style, props: { text: 'a {b}\n<c>', url: 'https://x.example/?{a}' } } },
      ]),
    )
    const every = { root: { type: 'EmailLayout', data: { childrenIds: kinds } }, ...all }
    const contents = (await admin.emailTemplates$.get()).map(
      template => template.source === 'classic' && template.content,
    )
    for (const each of [...contents, content, every]) {
      const html = previewHtml(each, samples)
      expect(html).not.toBe('')
      const rendered = await admin.renderEmail({ theme: 'default-light', previewHtml: html })
      expect(rendered).toMatchObject({ ok: true })
    }
    admin.dispose()
    platform.dispose()
  })

  it('that the platform refuses says why', async () => {
    const platform = createPlatform()
    const admin = createAdminApp(platform.adminOptions)
    const html = { root: { type: 'Html', data: { props: { contents: 'one<br>two' } } } }
    const refused = await admin.renderEmail({ theme: 'default-light', previewHtml: previewHtml(html, samples) })
    if (refused.ok) throw new Error('it was accepted')
    expect(wordsFor(refused.error, en)).toContain('<br> is not closed')
    admin.dispose()
    platform.dispose()
  })

  it('ends where blocks contain each other', () => {
    const circle = {
      root: { type: 'EmailLayout', data: { childrenIds: ['a'] } },
      a: { type: 'Container', data: { props: { childrenIds: ['root'] } } },
    }
    expect(previewHtml(circle, samples)).toBe('<div><div></div></div>')
  })
})
