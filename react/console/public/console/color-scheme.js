// Before the first paint, so that a dark page does not flash white. Mantine reads the same key.
try {
  const scheme = localStorage.getItem('mantine-color-scheme-value') ?? 'auto'
  const isDark = scheme === 'dark' || (scheme === 'auto' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.dataset.mantineColorScheme = isDark ? 'dark' : 'light'
} catch {
  // Storage may be forbidden; the page is light until Mantine has started.
}
