import { createECDH, createHash } from 'node:crypto'
import type { Platform } from 'rxauth/platform'

interface Data {
  readonly shared: Readonly<Record<string, readonly object[]>>
}

/** Gives the platform the signing keys that every test's platform of this project has, so that a backend may keep them. */
export async function withSteadyKeys(platform: Platform): Promise<void> {
  // `snapshot` waits for no seed.
  await platform.seed({})
  const { projectId } = platform.options
  const data = platform.snapshot() as Data
  const signingKeys = ['', ':anon', ':restricted'].map(kind => steadyKey(projectId + kind))
  platform.restore({ ...data, shared: { ...data.shared, signingKeys } })
}

/** The key that the id determines. It protects nothing, like the other keys of a local platform. */
function steadyKey(id: string) {
  const curve = createECDH('prime256v1')
  const d = createHash('sha256').update(`rxauth/playwright ${id}`).digest()
  curve.setPrivateKey(d)
  const point = curve.getPublicKey()
  const kid = createHash('sha256').update(point).digest('base64url').slice(0, 12)
  const [x, y] = [point.subarray(1, 33).toString('base64url'), point.subarray(33).toString('base64url')]
  const publicKey = { kty: 'EC', crv: 'P-256', alg: 'ES256', kid, x, y }
  return { id, publicKey, privateKey: { ...publicKey, d: d.toString('base64url') } }
}
