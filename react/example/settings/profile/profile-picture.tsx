import { Avatar, Button, FileButton, Group, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { CurrentUser } from 'rxauth'
import { useAction, useApp } from 'rxauth/react'
import { Problem } from '../../ui/problem'
import { squarePicture } from './square-picture'

/** Uploads a picture, made small here, or takes it away. Every place that shows it changes at once. */
export function ProfilePicture({ user }: { readonly user: CurrentUser }): ReactNode {
  const app = useApp()
  const save = useAction(async (file: File | null) =>
    app.updateUser({ profileImageUrl: file && (await squarePicture(file)) }),
  )
  const change = (file: File | null) => void save.run(file).catch(() => undefined)
  return (
    <Stack gap="sm">
      <Group gap="md">
        <Avatar
          src={user.profileImageUrl}
          name={user.displayName ?? user.primaryEmail ?? ''}
          color="brand"
          variant="filled"
          size={64}
          alt={user.profileImageUrl === null ? 'Your initials' : 'Your picture'}
        />
        <Stack gap={6}>
          <Group gap="xs">
            <FileButton accept="image/png,image/jpeg,image/webp" onChange={file => file && change(file)}>
              {props => (
                <Button variant="default" size="xs" loading={save.status === 'running'} {...props}>
                  Upload a picture
                </Button>
              )}
            </FileButton>
            {user.profileImageUrl !== null && (
              <Button variant="subtle" color="red" size="xs" onClick={() => change(null)}>
                Remove
              </Button>
            )}
          </Group>
          <Text size="xs" c="dimmed">
            PNG, JPEG or WebP
          </Text>
        </Stack>
      </Group>
      <Problem of={save} />
    </Stack>
  )
}
