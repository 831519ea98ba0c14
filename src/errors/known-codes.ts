import type { ErrorCode } from './codes'

/**
 * The table of codes.ts in a form that makes every bundle 700 bytes smaller: a word is a family and the codes in it, each as
 * four characters of its hash; the first word has the codes without a family. After a change of codes.ts,
 * `RXAUTH_WRITE=1 npx jest --selectProjects unit -- test/errors/known-codes` writes it anew.
 */
const words =
  '----w5qveqqryvdd57fs8e3y2zo1pn2vlbg3m1a6dbdrc1z0rkfdixuxh9y3uwjwg0ejv55y9jclr020ad669g5at4jxtibvmkl7hwk9gzxdshbcw5bft2b7iiq4gaul74l9bs7tw27vjqwuftigq81qc36jbxa4rb63b52gu0flfz7phjj9enwcuc6m0iap54w3pvfqe7btriup5q3menucl5293e5yxmoeh03mv4nriexyd33sczqvh071rz1zdi901h4uk5wr0vhqjjidz3pfa66yesyvfud6oyjcgs9skw4r1gyx4a2pmayk1gx6xvve9rx9fr2gdxuv 8e3y4ip9j3o96i9j 4ip986pdx55y41t5ywhcyb5sr0ogw9er943768e5 68e5a4ap1obfpqzd7j94 j3o9fh7de6oh75qnxhbttbmv23gn 2zo1iw0g iw0gnn71 nn7113e9qnwrxfk9 pn2vc23n2bypb4kl 9g5aqqt04aec tibvdyddmt68yr6hxpc9 di90jivtwonmv5awtxd6iyju'

const families = words.split(' ').map((word): readonly string[] => word.match(/..../g) ?? [])

/** Of a million codes that this version does not know, about 75 would be taken for known ones. */
export function isErrorCode(code: string): code is ErrorCode {
  return familyOf(markOf(code)) !== undefined
}

/** Whether `code` is `family` or belongs to it, at any depth. */
export function isInFamily(code: string, family: ErrorCode): boolean {
  const aim = markOf(family)
  let mark: string | undefined = markOf(code)
  while (mark !== undefined && mark !== aim) mark = familyOf(mark)
  return mark === aim
}

function familyOf(mark: string): string | undefined {
  return families.find(marks => marks.indexOf(mark) > 0)?.[0]
}

/** The last four characters of a hash in base 36. */
export function markOf(code: string): string {
  let hash = 7
  for (let at = 0; at < code.length; at++) hash = (Math.imul(hash, 31) + code.charCodeAt(at)) | 0
  return (hash >>> 0).toString(36).slice(-4)
}
