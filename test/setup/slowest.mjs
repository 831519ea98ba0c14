/** A line for each of the ten slowest test files, by the clock of the wall: on a busy machine every file takes longer. */
export function slowest(files) {
  const ten = [...files].sort((one, other) => other.seconds - one.seconds).slice(0, 10)
  return ten.map(({ path, seconds }) => `${seconds.toFixed(1).padStart(8)} s ${path}`).join('\n')
}
