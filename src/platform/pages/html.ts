import { bareReply } from '../reply'
import type { Reply } from '../reply'

/** Text as it may stand in HTML, in attributes too. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`)
}

// The system's own colours have contrast by day and by night.
const style = `
  :root { color-scheme: light dark }
  * { box-sizing: border-box }
  body { font: 1rem/1.5 system-ui, sans-serif; max-width: 44rem; margin: 0 auto; padding: 1.5rem 1rem;
    background: Canvas; color: CanvasText; overflow-wrap: anywhere }
  h1 { font-size: 1.4rem } h2 { font-size: 1.1rem; margin: 0 0 .25rem }
  fieldset, article { border: 1px solid GrayText; border-radius: .5rem; padding: 1rem; margin: 0 0 1rem }
  label { display: block; margin: .35rem 0 }
  input:not([type=radio], [type=checkbox]) { display: block; width: 100%; font: inherit; padding: .4rem }
  button { font: inherit; padding: .45rem 1rem; margin: 0 .5rem .5rem 0 }
  pre { white-space: pre-wrap; font-family: inherit; margin: .5rem 0 }
  [role=alert] { border-left: .3rem solid #c00; padding-left: .75rem }
`

/** A whole page that works without JavaScript; `body` is HTML. */
export function htmlPage(title: string, body: string, status = 200): Reply {
  const document = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body>
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
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      // No form-action: browsers apply it to where a form leads on to, which is the app.
      'content-security-policy':
        "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'",
      'referrer-policy': 'no-referrer',
    },
    document,
  )
}
