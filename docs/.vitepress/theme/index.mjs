import { Content } from 'vitepress'
import Theme from 'vitepress/theme'
import { h } from 'vue'
import RunBlock from '../run/run-block.vue'
import RunTab from '../run/run-tab.vue'
import RunTabs from '../run/run-tabs.vue'
import { data as sizes } from './sizes.data.mjs'
import './style.css'

/** `<Size of="password only" />`: a line of docs/sizes.md in whole KB. */
const Size = { props: ['of'], render: ({ of }) => `${sizes[of]} KB` }

/** `layout: front`: the start page, without sidebar and outline. */
const Front = { render: () => h('main', { class: 'front' }, h(Content, { class: 'vp-doc' })) }

/** Copies a program of several blocks: each block as the page shows it, in their order. */
async function copyProgram({ target }) {
  const button = target.closest?.('.copy-program')
  if (!button) return
  const { program } = button.closest('.named-block').dataset
  const blocks = document.querySelectorAll(`.named-block[data-program="${program}"] code:not(.block-name code)`)
  await navigator.clipboard.writeText([...blocks].map(block => block.textContent).join('\n\n') + '\n')
  const label = button.textContent
  button.textContent = 'Copied'
  setTimeout(() => (button.textContent = label), 2000)
}

export default {
  extends: Theme,
  enhanceApp({ app }) {
    app.component('Size', Size).component('front', Front)
    app.component('RunBlock', RunBlock).component('RunTab', RunTab).component('RunTabs', RunTabs)
    if (!import.meta.env.SSR) document.addEventListener('click', copyProgram)
  },
}
