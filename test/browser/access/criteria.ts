/** How a criterion was looked at: by axe, by ways of the matrix, by a look at the screens and their sources, or not at all. */
type How = 'axe' | 'matrix' | 'hand' | 'not applicable' | 'not checked'

/** A criterion of WCAG 2.2, level A or AA. */
export interface Criterion {
  readonly name: string
  readonly level: 'A' | 'AA'
  readonly result: 'met' | 'partly' | 'not applicable' | 'not checked'
  readonly how: string
}

const criterion = (name: string, level: 'A' | 'AA', by: readonly How[], remark = ''): Criterion => {
  const [first] = by
  const result = first === 'not applicable' || first === 'not checked' ? first : 'met'
  const how = result === 'met' ? [by.map(each => names[each]).join(', '), remark].filter(Boolean).join(': ') : remark
  return { name, level, result, how }
}

const names: Readonly<Record<How, string>> = {
  axe: 'axe',
  matrix: 'matrix',
  hand: 'by hand',
  'not applicable': '',
  'not checked': '',
}

const tree = 'tree of a screen reader'

/** Every criterion of level A and AA in the order of WCAG 2.2. */
export const criteria: readonly Criterion[] = [
  criterion('1.1.1 Non-text content', 'A', ['axe', 'matrix'], tree),
  criterion('1.2.1 to 1.2.5 Time-based media', 'A', ['not applicable'], 'no audio and no video'),
  criterion('1.3.1 Info and relationships', 'A', ['axe', 'matrix'], tree),
  criterion('1.3.2 Meaningful sequence', 'A', ['matrix'], 'keyboard, right to left'),
  criterion('1.3.3 Sensory characteristics', 'A', ['hand'], 'no text names a shape, a place or a colour'),
  criterion('1.3.4 Orientation', 'AA', ['matrix'], 'windows of 320 × 640 and 1280 × 720'),
  criterion('1.3.5 Identify input purpose', 'AA', ['matrix'], tree),
  criterion('1.4.1 Use of colour', 'A', ['axe', 'hand'], 'errors are texts, links in texts are underlined'),
  criterion('1.4.2 Audio control', 'A', ['not applicable'], 'no audio'),
  criterion('1.4.3 Contrast (minimum)', 'AA', ['axe'], 'in the light colours here, in the dark ones in other tests'),
  criterion('1.4.4 Resize text', 'AA', ['matrix'], '400 % zoom'),
  criterion('1.4.5 Images of text', 'AA', ['hand'], 'none but logos'),
  criterion('1.4.10 Reflow', 'AA', ['matrix'], '400 % zoom, 320 px'),
  criterion(
    '1.4.11 Non-text contrast',
    'AA',
    ['not checked'],
    'in the colours of the page; forced colours draw every edge',
  ),
  criterion('1.4.12 Text spacing', 'AA', ['matrix'], '320 px'),
  criterion(
    '1.4.13 Content on hover or focus',
    'AA',
    ['not applicable'],
    'nothing appears by hovering or by the focus',
  ),
  criterion('2.1.1 Keyboard', 'A', ['matrix'], 'keyboard'),
  criterion('2.1.2 No keyboard trap', 'A', ['matrix'], 'keyboard'),
  criterion('2.1.4 Character key shortcuts', 'A', ['not applicable'], 'no shortcuts'),
  criterion('2.2.1 Timing adjustable', 'A', ['not checked'], 'codes and links of mails expire on the platform'),
  criterion(
    '2.2.2 Pause, stop, hide',
    'A',
    ['not checked'],
    'only what is loading moves; nothing moves with reduced motion',
  ),
  criterion('2.3.1 Three flashes', 'A', ['hand'], 'nothing flashes'),
  criterion('2.4.1 Bypass blocks', 'A', ['axe', 'matrix'], `${tree}: landmarks and headings`),
  criterion('2.4.2 Page titled', 'A', ['matrix'], tree),
  criterion('2.4.3 Focus order', 'A', ['matrix'], 'keyboard'),
  criterion('2.4.4 Link purpose', 'A', ['axe', 'hand'], 'each link says where it leads'),
  criterion('2.4.5 Multiple ways', 'AA', ['not applicable'], 'the pages are steps of a process'),
  criterion('2.4.6 Headings and labels', 'AA', ['matrix'], tree),
  criterion('2.4.7 Focus visible', 'AA', ['matrix'], 'keyboard, forced colours'),
  criterion('2.4.11 Focus not obscured (minimum)', 'AA', ['matrix'], '400 % zoom'),
  criterion('2.5.1 Pointer gestures', 'A', ['not applicable'], 'clicks only'),
  criterion(
    '2.5.2 Pointer cancellation',
    'A',
    ['hand'],
    'buttons and links of HTML, which act when the pointer is released',
  ),
  criterion('2.5.3 Label in name', 'A', ['not checked'], 'axe has no stable rule for it'),
  criterion('2.5.4 Motion actuation', 'A', ['not applicable'], 'no use of motion'),
  criterion('2.5.7 Dragging movements', 'AA', ['not applicable'], 'nothing is dragged'),
  criterion('2.5.8 Target size (minimum)', 'AA', ['matrix'], '320 px'),
  criterion('3.1.1 Language of page', 'A', ['axe', 'matrix'], tree),
  criterion('3.1.2 Language of parts', 'AA', ['not applicable'], 'one language per page'),
  criterion('3.2.1 On focus', 'A', ['matrix'], 'keyboard: Tab goes through every page'),
  {
    name: '3.2.2 On input',
    level: 'A',
    result: 'partly',
    how: 'by hand: the sixth character of a code sends it, and the page does not say so before',
  },
  criterion('3.2.3 Consistent navigation', 'AA', ['hand'], 'one frame for all of these pages'),
  criterion('3.2.4 Consistent identification', 'AA', ['hand'], 'one component for each kind of field and button'),
  criterion('3.2.6 Consistent help', 'A', ['not applicable'], 'the screens have no help; add it to their frame'),
  criterion('3.3.1 Error identification', 'A', ['matrix'], 'every way: each method has an error'),
  criterion('3.3.2 Labels or instructions', 'A', ['axe', 'matrix'], tree),
  criterion('3.3.3 Error suggestion', 'AA', ['hand'], 'each text says what to do, unless that would help an attacker'),
  criterion('3.3.4 Error prevention', 'AA', ['not applicable'], 'no contracts, payments or tests'),
  criterion('3.3.7 Redundant entry', 'A', ['hand'], 'an address that was entered is shown in the next step'),
  criterion(
    '3.3.8 Accessible authentication (minimum)',
    'AA',
    ['matrix'],
    `${tree}: everything can be pasted and filled in`,
  ),
  criterion('4.1.2 Name, role, value', 'A', ['axe', 'matrix'], tree),
  criterion('4.1.3 Status messages', 'AA', ['matrix'], 'every way: each error is announced once'),
]
