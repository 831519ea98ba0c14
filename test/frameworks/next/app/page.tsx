export default function Home() {
  return <h1>Start</h1>
}
