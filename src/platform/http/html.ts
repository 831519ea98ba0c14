import { bareReply, type Reply } from './reply'

/** Escapes text for HTML content and attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`)
}

// The console's look, as far as it works without scripts. Both colour schemes have enough contrast.
const style = `
  :root { color-scheme: light dark; --page: #f7f7f9; --card: #fff; --line: #dcdee3; --field: #878d97; --text: #1c1e24;
    --dim: #5b616b; --brand: #5b4bdb; --link: #4c3dc4; --soft: #f3f2ff; --bad: #c0262b }
  @media (prefers-color-scheme: dark) {
    :root { --page: #131519; --card: #1a1c22; --line: #2c2f37; --field: #757a85; --text: #d3d5db; --dim: #a0a5af;
      --link: #aca3f4; --soft: #22252c; --bad: #ff8f8f }
  }
  * { box-sizing: border-box }
  body { font: .875rem/1.55 Inter, ui-sans-serif, system-ui, sans-serif; margin: 0; padding: 2rem 1rem;
    background: var(--page); color: var(--text); overflow-wrap: anywhere }
  body > * { max-width: 27rem; margin: 0 auto }
  body.wide > * { max-width: 44rem }
  header { display: flex; align-items: center; gap: .5rem; padding-bottom: 1.25rem; font-size: 1.1rem; font-weight: 700 }
  header small { font-size: .7rem; border: 1px solid var(--line); border-radius: 1rem; padding: .1rem .6rem }
  h1 { font-size: 1.5rem; line-height: 1.35; margin: 0 0 .25rem } h2 { font-size: 1.0625rem; margin: 0 }
  p { margin: .5rem 0 } .dim { color: var(--dim) } a { color: var(--link) }
  form, article { background: var(--card); border: 1px solid var(--line); border-radius: 1rem; padding: 1.25rem; margin: 1.25rem 0 0 }
  fieldset { border: 0; padding: 0; margin: 0 0 1.25rem } legend { font-weight: 600; padding: 0; margin: 0 0 .25rem }
  label { display: block; margin: .5rem 0; font-weight: 500 }
  .choice { display: flex; align-items: center; gap: .6rem; border: 1px solid var(--line); border-radius: .5rem; padding: .55rem .75rem }
  .choice:has(:checked) { border-color: var(--brand); background: var(--soft) }
  .choice small { display: block; color: var(--dim); font-weight: 400 }
  fieldset:not(:has([value=""]:checked)) .new { display: none }
  input { accent-color: var(--brand) }
  input:not([type=radio], [type=checkbox]) { display: block; width: 100%; font: inherit; font-size: 1rem; padding: .5rem .75rem;
    margin-top: .25rem; border: 1px solid var(--field); border-radius: .5rem; background: var(--card); color: var(--text) }
  [aria-invalid] { border-color: var(--bad) !important }
  button, article p a { display: inline-block; font: inherit; font-weight: 600; padding: .55rem 1.1rem; margin: 0 .5rem 0 0; cursor: pointer;
    border: 1px solid var(--line); border-radius: .5rem; background: var(--card); color: var(--text); text-decoration: none }
  button[type=submit]:not([value=refuse]), article p a { background: var(--brand); border-color: var(--brand); color: #fff }
  :focus-visible { outline: 2px solid var(--link); outline-offset: 2px }
  .row { display: flex; flex-wrap: wrap; gap: .75rem; align-items: flex-end } .row label { flex: 1 1 14rem; margin: 0 }
  pre { white-space: pre-wrap; font: inherit; margin: .75rem 0 } strong { font-family: monospace; font-size: 1.5rem; font-weight: 700; letter-spacing: .15em }
  nav { display: flex; flex-wrap: wrap; gap: .35rem 1rem; margin-top: .75rem }
  [role=alert] { border-left: .25rem solid var(--bad); padding: .25rem .75rem; color: var(--bad) }
`

const mark =
  '<svg width="24" height="24" viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="8" fill="#5b4bdb"/><circle cx="16" cy="12" r="5" fill="#fff"/><path d="M6 27a10 9 0 0 1 20 0z" fill="#fff"/></svg>'

/** A complete page that works without JavaScript; `body` is HTML. */
export function htmlPage(
  title: string,
  body: string,
  { status = 200, isWide = false }: { readonly status?: number; readonly isWide?: boolean } = {},
): Reply {
  const document = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body${isWide ? ' class="wide"' : ''}>
<header>${mark} rxauth <small>Local platform</small></header>
<main>
<h1>${escapeHtml(title)}</h1>
${body}
</main>
</body>
</html>
`
  return bareReply(
    status,
    {
      // Without a charset, as on the hosted platform; the page declares it.
      'content-type': 'text/html',
      'cache-control': 'no-store',
      // No form-action: browsers also check it against the redirect after a form, which leads to the app.
      'content-security-policy':
        "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'",
      'referrer-policy': 'no-referrer',
    },
    document,
  )
}
