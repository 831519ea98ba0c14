import Link from 'next/link'

export default function Forbidden() {
  return (
    <>
      <h1>You may not see this page</h1>
      <Link href="/">Back to the start</Link>
    </>
  )
}
