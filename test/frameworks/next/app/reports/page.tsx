import { guard } from '../server'

export const instant = false

export default async function Reports() {
  await guard('/reports')
  return <h1>Reports</h1>
}
