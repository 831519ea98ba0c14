import type { ReactNode } from 'react'
import { useAction } from 'rxauth/react'
import { Button } from './button'
import { FileButton } from './file-button'
import { Picture } from './picture'
import { Problem } from './problem'
import { useWords } from '../words/use-words'

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
  const { ui } = useWords()
  const change = useAction(async (file: File | null) => save(file && (await squarePicture(file))))
  const set = (file: File | null) => void change.run(file).catch(() => undefined)
  return (
    <div className="auth-stack snug">
      <div className="auth-row">
        <Picture url={url} name={name} size={64} shape={shape} alt={url === null ? ui.noPicture : alt} />
        <div className="auth-stack tight">
          <div className="auth-row snug">
            <FileButton
              accept="image/png,image/jpeg,image/webp"
              isSmall
              isBusy={change.status === 'running'}
              onFile={set}
            >
              {ui.upload}
            </FileButton>
            {url !== null && (
              <Button kind="quiet" isSmall onClick={() => set(null)}>
                {ui.remove}
              </Button>
            )}
          </div>
          <p className="fine dim">{ui.pictureTypes}</p>
        </div>
      </div>
      <Problem of={change} />
    </div>
  )
}

/** The pixels of the largest place for a picture, doubled for high-resolution screens. */
const side = 192

/** The middle of a picture as a small square data URL, as the platform accepts it. */
async function squarePicture(file: Blob): Promise<string> {
  const picture = await createImageBitmap(file)
  const cut = Math.min(picture.width, picture.height)
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = side
  const left = (picture.width - cut) / 2
  const top = (picture.height - cut) / 2
  canvas.getContext('2d')?.drawImage(picture, left, top, cut, cut, 0, 0, side, side)
  picture.close()
  return canvas.toDataURL('image/jpeg', 0.85)
}
