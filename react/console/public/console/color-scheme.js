// Before the first paint, so that a dark page does not flash white.
try {
  document.documentElement.dataset.scheme = localStorage.getItem('color-scheme') ?? 'auto'
} catch {
  // The storage may be forbidden: the page has the colours of the system.
}
