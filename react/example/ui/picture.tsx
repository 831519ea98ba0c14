import { useRef, useState, type ReactNode } from 'react'
import { useAction } from 'rxauth/react'
import { useWords } from '../words/use-words'
import { Problem } from './alert'
import { Button } from './button'

interface Props {
  /** The name for the initials, shown without a picture. */
  readonly name: string
  readonly url: string | null
  /** In pixels. */
  readonly size: number
  /** People are round, teams are square. */
  readonly shape?: 'round' | 'square'
  /** The description for screen readers; without one, the name is shown beside it. */
  readonly alt?: string
}

/** The picture of a user or a team, or the initials. */
export function Picture({ name, url, size, shape = 'round', alt = '' }: Props): ReactNode {
  const [broken, setBroken] = useState<string>()
  const place = { className: `picture ${shape}`, style: { width: size, height: size, fontSize: size * 0.4 } }
  if (url !== null && url !== broken) return <img {...place} src={url} alt={alt} onError={() => setBroken(url)} />
  return (
    <span {...place} {...(alt === '' ? { 'aria-hidden': true } : { role: 'img', 'aria-label': alt })}>
      {initialsOf(name)}
    </span>
  )
}

/** The first letters of the first and the last word. */
function initialsOf(name: string): string {
  const words = name.split(/\s+/).filter(Boolean)
  const ends = words.length > 1 ? [words[0], words.at(-1)] : words
  return ends.map(word => String.fromCodePoint(word?.codePointAt(0) ?? 32).toUpperCase()).join('')
}

interface PictureFieldProps {
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
export function PictureField({ url, name, alt, shape, save }: PictureFieldProps): ReactNode {
  const { ui } = useWords()
  const change = useAction(async (file: File | null) => save(file && (await squarePicture(file))))
  const set = (file: File | null) => void change.run(file)
  return (
    <div className="auth-stack snug">
      <div className="auth-row">
        <Picture url={url} name={name} size={64} shape={shape} alt={url === null ? ui.noPicture : alt} />
        <div className="auth-stack tight">
          <div className="auth-row snug">
            <FileButton
              label={ui.upload}
              accept="image/png,image/jpeg,image/webp"
              isSmall
              isBusy={change.status === 'running'}
              onFile={set}
            />
            {url !== null && <Button label={ui.remove} kind="quiet" isSmall onClick={() => set(null)} />}
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

interface FileButtonProps {
  /** The types of files, as an `input` takes them. */
  readonly accept: string
  readonly label: string
  /** The name of the hidden field. */
  readonly name?: string
  readonly isSmall?: boolean
  readonly isBusy?: boolean
  readonly onFile: (file: File) => void
}

/** A button that asks for a file. */
export function FileButton({ accept, name, onFile, ...button }: FileButtonProps): ReactNode {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={input}
        type="file"
        accept={accept}
        hidden
        aria-label={name}
        onChange={event => {
          const [file] = event.currentTarget.files ?? []
          // The same file can be chosen once more.
          event.currentTarget.value = ''
          if (file) onFile(file)
        }}
      />
      <Button kind="plain" {...button} onClick={() => input.current?.click()} />
    </>
  )
}
