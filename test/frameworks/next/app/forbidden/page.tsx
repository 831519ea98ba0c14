export default function Forbidden() {
  return <h1>You may not see this page</h1>
}
