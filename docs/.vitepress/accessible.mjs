// What keeps the default theme of VitePress 1.6 from being accessible, by its components: the text, and what takes its place.

const changed = {
  // The box is a dialog, its field a combobox, and each link of its list an option.
  'VPLocalSearchBox.vue': [
    [
      `role="button"
      :aria-owns="results?.length ? 'localsearch-list' : undefined"
      aria-expanded="true"
      aria-haspopup="listbox"`,
      'role="dialog" aria-modal="true"',
    ],
    // An element without a role has no name of its own.
    ['<kbd :aria-label', '<kbd role="img" :aria-label'],
    ['aria-autocomplete="both"', 'role="combobox" aria-autocomplete="list" :aria-expanded="results.length > 0"'],
    [
      `:id="'localsearch-item-' + index"
            :aria-selected="selectedIndex === index ? 'true' : 'false'"
            role="option"`,
      'role="none"',
    ],
    [
      `:aria-label="[...p.titles, p.title].join(' > ')"`,
      `:id="'localsearch-item-' + index" :aria-selected="selectedIndex === index" role="option"`,
    ],
  ],
  // A group that cannot be closed is no button, and the caret of one that can be is part of it.
  'VPSidebarItem.vue': [
    [`(isLink.value ? undefined : 'button')`, `(!isLink.value && collapsible.value ? 'button' : undefined)`],
    [':tabindex="item.items && 0"', ':tabindex="itemRole && 0" :aria-expanded="itemRole && !collapsed"'],
    [
      `role="button"
        aria-label="toggle section"
        @click="onCaretClick"
        @keydown.enter="onCaretClick"
        tabindex="0"`,
      '@click="onCaretClick"',
    ],
  ],
  'NotFound.vue': [
    ['<div class="NotFound">', '<main class="NotFound">'],
    ['</div>\n</template>', '</main>\n</template>'],
    [`:aria-label="theme.notFound?.linkLabel ?? 'go to home'"`, ''],
  ],
}

/** A plugin of Vite. */
export function accessibleTheme() {
  return {
    name: 'accessible-theme',
    enforce: 'pre',
    transform(code, id) {
      const changes = changed[id.replace(/^.*\/theme-default\/(?:components\/)?/, '')]
      return changes?.reduce((text, [from, to]) => {
        if (!text.includes(from)) this.error(`the theme has changed: there is no ${from}`)
        return text.replaceAll(from, to)
      }, code)
    },
  }
}
