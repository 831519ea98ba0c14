import { Avatar, Button, FileButton, Group, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useAction } from 'rxauth/react'
import { Problem } from './problem'
import { squarePicture } from './square-picture'

interface Props {
  readonly url: string | null
  /** The name for the initials, shown without a picture. */
  readonly name: string
  /** The description for screen readers. */
  readonly alt: string
  readonly shape: 'round' | 'square'
  /** Receives the picture as a data URL; null removes it. */
  readonly save: (url: string | null) => Promise<unknown>
}

/** Uploads a picture, made smaller here, or removes it. */
export function PictureField({ url, name, alt, shape, save }: Props): ReactNode {
  const change = useAction(async (file: File | null) => save(file && (await squarePicture(file))))
  const set = (file: File | null) => void change.run(file).catch(() => undefined)
  return (
    <Stack gap="sm">
      <Group gap="md">
        <Avatar
          src={url}
          name={name}
          color="brand"
          variant="filled"
          size={64}
          radius={shape === 'round' ? '100%' : 'md'}
          alt={url === null ? 'No picture' : alt}
        />
        <Stack gap={6}>
          <Group gap="xs">
            <FileButton accept="image/png,image/jpeg,image/webp" onChange={file => file && set(file)}>
              {props => (
                <Button variant="default" size="xs" loading={change.status === 'running'} {...props}>
                  Upload a picture
                </Button>
              )}
            </FileButton>
            {url !== null && (
              <Button variant="subtle" color="red" size="xs" onClick={() => set(null)}>
                Remove
              </Button>
            )}
          </Group>
          <Text size="xs" c="dimmed">
            PNG, JPEG or WebP
          </Text>
        </Stack>
      </Group>
      <Problem of={change} />
    </Stack>
  )
}
