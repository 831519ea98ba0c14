// All sources, with Jest's `require` for the packages that they import: compiled.ts has compiled them.
const load = globalThis[Symbol.for('rxauth.sources')]
if (!load) throw new Error('the environment of this test is not one of test/setup, which have the sources')
load(module, require)
