export const cpuVariable: string
export function cpuSecondsOfChildren(): number
export function cpuSeconds(): number
export function noteCpu(path: string, before: number): void
