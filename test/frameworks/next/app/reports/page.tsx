import { requireUser } from '../../auth'

export default async function Reports() {
  await requireUser({ can: 'read_reports' })
  return <h1>Reports</h1>
}
