/** Where the platform is; the server writes it into the page. With a bundler of your own: environment variables. */
export const config = JSON.parse(document.getElementById('config')?.textContent ?? '{}') as {
  readonly baseUrl: string
  readonly projectId: string
  readonly publishableClientKey: string
}
