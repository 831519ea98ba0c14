import type { ReactNode } from 'react'
import { useApp } from 'rxauth/react'
import { Page } from '../shell/section-page'
import { useMethods } from '../sign-in/methods'
import { SwitchedOff } from '../ui/alert'
import { Button } from '../ui/button'
import { useOpen } from '../ui/dialog'
import { required } from '../ui/form'
import { useGo } from '../ui/navigation'
import { Picture } from '../ui/picture'
import { ActionRow, StoreList } from '../ui/rows'
import { Section } from '../ui/section'
import { FormDialog } from '../ui/settings-form'
import { useWords } from '../words/use-words'

/** The teams of a user without a selected team. */
export function ChooseTeam(): ReactNode {
  const app = useApp()
  const { choose: words, create: creating } = useWords().team
  const project = useMethods()
  const [isCreating, { open: create, close }] = useOpen()
  const mayCreate = project.status === 'ready' ? project.value.config.clientTeamCreationEnabled : undefined
  return (
    <Page title={words.title}>
      <Section
        title={words.section}
        description={words.text}
        action={mayCreate && <Button label={creating.title} isSmall onClick={create} />}
      >
        <StoreList store={app.teams$} label={words.title} empty={mayCreate ? words.noneYet : words.none}>
          {({ id: teamId, displayName, profileImageUrl }) => (
            <ActionRow
              key={teamId}
              icon={<Picture url={profileImageUrl} name={displayName} size={36} shape="square" />}
              title={displayName}
              button={words.open}
              name={words.openTeam(displayName)}
              run={() => app.selectTeam({ teamId })}
            />
          )}
        </StoreList>
        {mayCreate === false && <SwitchedOff setting="clientTeamCreationEnabled">{words.isOff}</SwitchedOff>}
      </Section>
      <CreateTeamDialog isOpen={isCreating} onClose={close} />
    </Page>
  )
}

/** Creates a team, and selects it. The caller checks `clientTeamCreationEnabled` before opening it. */
export function CreateTeamDialog(dialog: { readonly isOpen: boolean; readonly onClose: () => void }): ReactNode {
  const words = useWords().team.create
  const app = useApp()
  const go = useGo()
  return (
    <FormDialog
      {...dialog}
      title={words.title}
      submit={words.submit}
      initial={{ displayName: '' }}
      settings={[
        {
          name: 'displayName',
          label: words.name,
          placeholder: words.example,
          maxLength: 100,
          validate: required(words.noName),
        },
      ]}
      problemAt="displayName"
      save={async team => {
        const { id: teamId } = await app.createTeam(team)
        await app.selectTeam({ teamId })
        go('/handler/team')
      }}
    />
  )
}
