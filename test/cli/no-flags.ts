/** `rxauth dev`, without an option. */
export const noFlags = {
  isStrict: false,
  opens: false,
  isJson: false,
  logs: false,
  allowedHosts: [],
  allowedOrigins: [],
  webhooks: [],
  command: [],
}
