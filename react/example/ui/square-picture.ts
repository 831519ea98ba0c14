/** The pixels of the largest place for a picture, doubled for high-resolution screens. */
const side = 192

/** The middle of a picture as a small square data URL, as the platform accepts it. */
export async function squarePicture(file: Blob): Promise<string> {
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
