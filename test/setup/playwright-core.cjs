// What tests import as `playwright-core`: see browser-environment.ts.
module.exports = globalThis.playwright
