/** `text` without anything that looks like a token, a code, a key or an e-mail address; at most 1,000 characters. */
export function redact(text: string): string {
  return (
    text
      .slice(0, 4000)
      .replace(/eyJ[\w-]*(\.[\w-]*){0,2}/g, '[token]')
      .replace(/\b(?:pck|ssk|sak|sk|pk|whsec)_[\w+/=-]+/g, '[key]')
      .replace(/\b(?=\w*\d)\w{24,}\b/g, '[secret]')
      // An apostrophe is part of an address, but not its first character, which is a quote.
      .replace(/(?:"[^"]*"(?=@)|[^\s"'<>@][^\s"<>@]*)(@[^\s"'<>@]+)?/g, (run, domain) =>
        domain || /.%(25)*40./.test(run) ? '[email]' : run,
      )
      .slice(0, 1000)
  )
}
