import { requireTeam } from '../../../auth'

export default async function TeamPage({ params }: { params: Promise<{ teamId: string }> }) {
  const { teamId } = await params
  const team = await requireTeam({ teamId })
  return <h1>{team.displayName}</h1>
}
