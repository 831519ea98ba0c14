import { renderEmail, type EmailVariables } from '../../../src/platform/mail/email-blocks'
import { themeColors } from '../../../src/platform/mail/email-themes'

const { 'default-light': light, 'default-dark': dark } = themeColors

type Blocks = Readonly<Record<string, { type: string; data: object }>>

/** The rendering of these blocks, one below the other. */
function draw(blocks: Blocks, { variables = {}, layout = {} }: { variables?: EmailVariables; layout?: object } = {}) {
  const root = { type: 'EmailLayout', data: { childrenIds: Object.keys(blocks), ...layout } }
  const drawn = renderEmail({ root, ...blocks }, light, variables)
  const [, body = ''] = /<div style="max-width[^>]*>\n([^]*)\n<\/div>\n<\/body>/.exec(drawn.html)!
  return { ...drawn, body }
}

const block = (type: string, props: object, style: object = {}) => ({ type, data: { style, props } })
const one = (type: string, props: object, variables: EmailVariables = {}) =>
  draw({ a: block(type, props) }, { variables })

describe('a variable', () => {
  // Promise: project-mails
  it('is replaced by its value everywhere, with HTML escaped', () => {
    const variables = { who: '<b>"Ada" & Co</b>' }
    expect(one('Text', { text: 'Hi {{who}}, {{  who  }}!' }, variables).body).toBe(
      '<p>Hi &#60;b&#62;&#34;Ada&#34; &#38; Co&#60;/b&#62;, &#60;b&#62;&#34;Ada&#34; &#38; Co&#60;/b&#62;!</p>',
    )
    expect(one('Text', { text: 'Hi {{who}}' }, variables).text).toBe('Hi <b>"Ada" & Co</b>\n')
    expect(one('Html', { contents: '<i>{{who}}</i>' }, variables).body).toContain('<i>&#60;b&#62;')
    expect(one('Image', { url: 'https://x.example/', alt: '{{who}}' }, variables).body).toContain('alt="&#60;b&#62;')
  })

  it('without a value is empty, also for names of object members', () => {
    expect(one('Text', { text: '[{{ gone }}{{ toString }}{{ __proto__ }}]' }).text).toBe('[]\n')
  })

  it('is not replaced inside another value', () => {
    expect(one('Text', { text: '{{ a }}' }, { a: '{{ b }}', b: 'secret' }).text).toBe('{{ b }}\n')
  })
})

describe('a link', () => {
  it.each(['javascript:alert(1)', 'data:text/html,x', 'nonsense', '//x.example'])('does not lead to %s', url => {
    const { body, links } = one('Button', { text: 'Go', url: '{{ url }}' }, { url })
    expect(body).toContain('href=""')
    expect(links).toEqual([])
  })

  it('is found in buttons, images, texts and HTML, once each and in order', () => {
    const { links } = draw({
      a: block('Text', { text: 'See https://a.example/?x=1&y=2, or mail us.' }),
      b: block('Button', { text: 'Go', url: 'https://b.example/' }),
      c: block('Image', { url: 'https://img.example/', linkHref: 'https://c.example/' }),
      d: block('Html', { contents: '<a href="https://d.example/?x=1&amp;y=2">d</a>' }),
      e: block('Button', { text: 'Again', url: 'https://b.example/' }),
    })
    expect(links).toEqual([
      'https://a.example/?x=1&y=2',
      'https://b.example/',
      'https://c.example/',
      'https://d.example/?x=1&y=2',
    ])
  })
})

describe('a block', () => {
  it('of each type is drawn as HTML and as text', () => {
    const { body, text } = draw({
      a: block('Heading', { text: 'One\nTwo', level: 'h1' }),
      b: block('Text', { text: 'Text' }, { color: '#123456', textAlign: 'center', padding: { top: 4 } }),
      c: block('Button', { text: 'Go', url: 'https://x.example/', buttonBackgroundColor: '#000000' }),
      d: block('Divider', {}),
      e: block('Spacer', { height: 8 }),
      f: block('Avatar', { imageUrl: 'https://x.example/a.png', alt: 'Ada', width: 64 }),
      g: block('Html', { contents: '<b>Raw</b>' }),
    })
    expect(body.split('\n')).toEqual([
      '<h1>One<br>Two</h1>',
      '<p style="color:#123456;text-align:center;padding-top:4px">Text</p>',
      '<p><a href="https://x.example/" style="display:inline-block;padding:12px 20px;border-radius:4px;background-color:#000000;color:#FFFFFF">Go</a></p>',
      '<hr>',
      '<div style="height:8px"></div>',
      '<p><img src="https://x.example/a.png" alt="Ada" width="64"></p>',
      '<div>',
      '<b>Raw</b>',
      '</div>',
    ])
    expect(text).toBe('One\nTwo\n\nText\n\nGo\nhttps://x.example/\n\n---\n\nAda\n\nRaw\n')
  })

  it('contains others, below and beside each other', () => {
    const content = {
      root: { type: 'EmailLayout', data: { childrenIds: ['box'] } },
      box: block('Container', { childrenIds: ['columns', 'c'] }, { backgroundColor: '#EEEEEE' }),
      columns: block('ColumnsContainer', { columns: [{ childrenIds: ['a'] }, { childrenIds: ['b'] }] }),
      ...Object.fromEntries(['a', 'b', 'c'].map(each => [each, block('Text', { text: each })])),
    }
    const { html, text } = renderEmail(content, light, {})
    expect(html.replace(/\n/g, '')).toContain(
      '<div style="background-color:#EEEEEE"><table role="presentation" width="100%"><tr><td style="vertical-align:top"><p>a</p></td><td style="vertical-align:top"><p>b</p></td></tr></table><p>c</p></div>',
    )
    expect(text).toBe('a\n\nb\n\nc\n')
  })

  it.each([
    [{ color: 'red;background:url(https://evil.example)' }],
    [{ textAlign: '"><script>' }],
    [{ fontSize: '1px' }],
    [{ padding: { top: 'x' } }],
    [{ padding: null }],
  ])('ignores the invalid style %j', style => {
    expect(draw({ a: block('Text', { text: 'x' }, style) }).body).toBe('<p>x</p>')
  })
})

describe('a mail', () => {
  it('has the colours of its theme, or its own ones', () => {
    const layout = (data: object) => ({ root: { type: 'EmailLayout', data } })
    for (const theme of [light, dark]) {
      const { html } = renderEmail(layout({}), theme, {})
      for (const part of ['backdrop', 'canvas', 'text'] as const) expect(html).toContain(theme[part])
      const own = { backdropColor: '#010101', canvasColor: '#020202', textColor: '#030303', fontFamily: 'MONOSPACE' }
      const named = renderEmail(layout(own), theme, {}).html
      expect(named).toMatch(/background-color:#010101;color:#030303;font:16px\/1.5 ui-monospace[^]*#020202/)
      for (const part of ['backdrop', 'canvas', 'text'] as const) expect(named).not.toContain(theme[part])
    }
  })
})

const nest = (levels: number): object =>
  Object.fromEntries(
    Array.from({ length: levels }, (_, index) => [
      index === 0 ? 'root' : `b${index}`,
      {
        type: index === 0 ? 'EmailLayout' : 'Container',
        data: (children => (index === 0 ? children : { props: children }))({
          childrenIds: index + 1 < levels ? [`b${index + 1}`] : [],
        }),
      },
    ]),
  )

describe('a document', () => {
  it.each<[string, unknown]>([
    ['a text', 'x'],
    ['a list', []],
    ['null', null],
    ['empty', {}],
    ['without a layout at its root', { root: { type: 'Text', data: {} } }],
    [
      'with a block of an unknown type',
      { root: { type: 'EmailLayout', data: { childrenIds: ['a'] } }, a: { type: 'X', data: {} } },
    ],
    ['with a block without data', { root: { type: 'EmailLayout' } }],
    ['with a child that is not there', { root: { type: 'EmailLayout', data: { childrenIds: ['toString'] } } }],
    ['with a child that is no id', { root: { type: 'EmailLayout', data: { childrenIds: [7] } } }],
    ['with a block in itself', { root: { type: 'EmailLayout', data: { childrenIds: ['root'] } } }],
    ['51 levels deep', nest(51)],
  ])('that is %s is refused in plain text', (_, content) => {
    expect(() => renderEmail(content, light, {})).toThrow(expect.objectContaining({ status: 400, code: null }) as Error)
  })

  it.each([
    [1999, 'taken'],
    [2000, 'refused'],
  ])('of %i blocks below its root is %s, wherever they stand', (count, outcome) => {
    const list = (of: number, id: string) => Array.from({ length: of }, () => id)
    const content = {
      root: { type: 'EmailLayout', data: { childrenIds: [...list(count - 1000, 'a'), 'box'] } },
      box: block('Container', { childrenIds: list(999, 'a') }),
      a: block('Divider', {}),
    }
    const look = () => renderEmail(content, light, {})
    if (outcome === 'taken') expect(look).not.toThrow()
    else expect(look).toThrow(expect.objectContaining({ status: 400, code: null }) as Error)
  })

  it('may be 50 levels deep', () => {
    expect(() => renderEmail(nest(50), light, {})).not.toThrow()
  })
})
