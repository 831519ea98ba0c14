import { escapeHtml, htmlPage } from '../../../src/platform/http/html'

describe('a page of the local platform', () => {
  it('cannot be broken out of by text', () => {
    expect(escapeHtml(`<b title="it's">&`)).toBe('&#60;b title=&#34;it&#39;s&#34;&#62;&#38;')
    expect(escapeHtml('Grüße 👋')).toBe('Grüße 👋')
  })

  it('has an escaped title, and the body as it is given', () => {
    const { body } = htmlPage('<Mails>', '<p>none</p>')
    expect(body).toContain('<title>&#60;Mails&#62;</title>')
    expect(body).toContain('<h1>&#60;Mails&#62;</h1>\n<p>none</p>')
    expect(body).not.toContain('<Mails>')
  })

  it('runs no script, loads nothing and cannot be framed', () => {
    const { headers, status } = htmlPage('Mails', '')
    expect(status).toBe(200)
    expect(headers).toMatchObject({
      'content-security-policy': expect.stringContaining("default-src 'none'"),
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    })
  })

  it('may be wide, or an error', () => {
    expect(htmlPage('Mails', '', { isWide: true }).body).toContain('<body class="wide">')
    expect(htmlPage('Mails', '').body).toContain('<body>')
    expect(htmlPage('Gone', '', { status: 404 }).status).toBe(404)
  })
})
