const MINUTE = 60
const HOUR = 60 * MINUTE

/** How long to wait, for a sentence: "40 seconds", "5 minutes", "2 hours". Rounded up. */
export function waitInWords(seconds: number): string {
  if (seconds <= 90) return counted(Math.max(1, Math.ceil(seconds)), 'second')
  if (seconds <= 90 * MINUTE) return counted(Math.ceil(seconds / MINUTE), 'minute')
  return counted(Math.ceil(seconds / HOUR), 'hour')
}

function counted(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}
