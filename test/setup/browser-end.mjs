export default () => globalThis.endOfBrowserSuites()
