/** Blowfish begins with the digits of pi: 18 subkeys, then four boxes of 256. */
const subkeys = 18
const words = subkeys + 4 * 256

const alphabet = './ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const plaintext = new TextEncoder().encode('OrpheanBeholderScryDoubt')

let pi: Int32Array | undefined

/** Whether the password has this bcrypt hash. As long as its rounds say: 16 of them take many seconds. */
export function isBcryptOf(password: string, hash: string): boolean {
  const [, , cost = '', rest = ''] = hash.split('$')
  const salt = fromBase64(rest.slice(0, 22), 16)
  const expected = fromBase64(rest.slice(22), 23)
  // The end of the text counts, and nothing after 72 bytes.
  const key = new TextEncoder().encode(`${password}\0`).slice(0, 72)
  const state = expensiveState(Number(cost), salt, key)
  const block = toWords(plaintext)
  for (let at = 0; at < block.length; at += 2) for (let round = 0; round < 64; round++) encipher(state, block, at)
  return expected.every((byte, index) => byte === (((block[index >> 2] ?? 0) >>> (24 - 8 * (index & 3))) & 255))
}

function expensiveState(cost: number, salt: Uint8Array, key: Uint8Array): Int32Array {
  const state = (pi ??= digitsOfPi()).slice()
  expand(state, key, toWords(salt))
  for (let round = 2 ** cost; round > 0; round--) {
    expand(state, key)
    expand(state, salt)
  }
  return state
}

/** Mixes the key into the subkeys, and everything into everything. */
function expand(state: Int32Array, key: Uint8Array, salt: Int32Array = new Int32Array(4)): void {
  let next = 0
  for (let index = 0; index < subkeys; index++) {
    let word = 0
    for (let byte = 0; byte < 4; byte++) word = (word << 8) | (key[next++ % key.length] ?? 0)
    state[index] = (state[index] ?? 0) ^ word
  }
  const block = new Int32Array(2)
  for (let index = 0; index < words; index += 2) {
    block[0] = (block[0] ?? 0) ^ (salt[index & 3] ?? 0)
    block[1] = (block[1] ?? 0) ^ (salt[(index + 1) & 3] ?? 0)
    encipher(state, block, 0)
    state.set(block, index)
  }
}

function encipher(state: Int32Array, block: Int32Array, at: number): void {
  // Every index is in range; the fallbacks are for the compiler alone.
  let left = (block[at] ?? 0) ^ (state[0] ?? 0)
  let right = block[at + 1] ?? 0
  for (let round = 1; round <= 16; round++) {
    const first = (state[18 + (left >>> 24)] ?? 0) + (state[274 + ((left >>> 16) & 255)] ?? 0)
    const mixed = ((first ^ (state[530 + ((left >>> 8) & 255)] ?? 0)) + (state[786 + (left & 255)] ?? 0)) | 0
    const swapped = right ^ mixed ^ (state[round] ?? 0)
    right = left
    left = swapped
  }
  block[at] = right ^ (state[17] ?? 0)
  block[at + 1] = left
}

/** Machin's formula: shorter than four kilobytes of constants. */
function digitsOfPi(): Int32Array {
  const guardBits = 64n
  const one = 1n << (BigInt(words) * 32n + guardBits)
  const fraction = (16n * arcTangent(5n, one) - 4n * arcTangent(239n, one) - 3n * one) >> guardBits
  const text = fraction.toString(16).padStart(words * 8, '0')
  return Int32Array.from({ length: words }, (_, index) => Number.parseInt(text.slice(index * 8, index * 8 + 8), 16) | 0)
}

/** Of 1/x, in units of 1/one. */
function arcTangent(x: bigint, one: bigint): bigint {
  let power = one / x
  let sum = power
  for (let odd = 3n, sign = -1n; power > 0n; odd += 2n, sign = -sign) {
    power /= x * x
    sum += (sign * power) / odd
  }
  return sum
}

function toWords(bytes: Uint8Array): Int32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return Int32Array.from({ length: bytes.length / 4 }, (_, index) => view.getInt32(index * 4))
}

function fromBase64(text: string, length: number): Uint8Array {
  const bits = Array.from(text, character => alphabet.indexOf(character).toString(2).padStart(6, '0')).join('')
  return Uint8Array.from({ length }, (_, index) => Number.parseInt(bits.slice(index * 8, index * 8 + 8), 2))
}
