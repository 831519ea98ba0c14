import type { GeoInfo } from '../../entities/sessions/client'

const headerOf = {
  countryCode: 'x-vercel-ip-country',
  regionCode: 'x-vercel-ip-country-region',
  cityName: 'x-vercel-ip-city',
  tzIdentifier: 'x-vercel-ip-timezone',
} as const

/**
 * The geographic place of a client's request, by the headers of a proxy in front of the platform: the first address in
 * `x-forwarded-for`, the place in `x-vercel-ip-…`. Null without an address, and for a server's request.
 */
export function locationIn(headers: Headers): GeoInfo | null {
  const ip = headers.get('x-forwarded-for')?.split(',')[0]?.trim()
  const access = headers.get('x-stack-access-type') ?? ''
  if (!ip || !['', 'client'].includes(access)) return null
  const texts = Object.entries(headerOf).flatMap(([name, header]) => {
    const text = headers.get(header)
    return text === null ? [] : [[name, decoded(text)] as const]
  })
  const numbers = (['latitude', 'longitude'] as const).flatMap(name => {
    const number = Number(headers.get(`x-vercel-ip-${name}`) ?? NaN)
    return Number.isFinite(number) ? [[name, number] as const] : []
  })
  return { ip, ...Object.fromEntries<string | number>([...texts, ...numbers]) }
}

/** City names are percent-encoded, since headers are ASCII. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
