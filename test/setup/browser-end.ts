export default async function end(): Promise<void> {
  await (Reflect.get(globalThis, 'endOfBrowserSuites') as () => Promise<void>)()
}
