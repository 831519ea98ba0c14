import { HtmlDrawing } from './tsx-html'
import { Interpreter } from './tsx-interpreter'
import { SourceFault, tsxParser } from './tsx-parser'
import type { PlacedNode } from './tsx-parser'
import { Thrown, Unplayable } from './tsx-values'

/** A mail's HTML after rendering, or the reason why the hosted platform refuses it. */
export type DrawnMarkup = { readonly html: string } | { readonly error: string }

/** Renders a mail's HTML like the hosted platform, which puts it as JSX into a theme. */
export async function drawMarkup(html: string): Promise<DrawnMarkup> {
  const parse = await tsxParser()
  const source = `<>${html}</>`
  try {
    const [statement] = parse(source).body
    const root = statement?.type === 'ExpressionStatement' ? statement.expression : undefined
    // The HTML may end the fragment, and begin another one.
    if (root?.type !== 'JSXFragment' || (root as unknown as PlacedNode).end < source.length)
      return { error: '</> closes nothing' }
    const interpreter = new Interpreter(source)
    const drawing = new HtmlDrawing(interpreter, false)
    drawing.draw(interpreter.evaluate(root, interpreter.module([])))
    return { html: drawing.html }
  } catch (error) {
    if (!(error instanceof SourceFault || error instanceof Thrown || error instanceof Unplayable)) throw error
    const place =
      error instanceof SourceFault && error.at < html.length
        ? ` at ${JSON.stringify(html.slice(error.at - 2, error.at + 20))}`
        : ''
    return { error: error.message + place }
  }
}
