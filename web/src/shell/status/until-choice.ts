/** How long a status holds, as it can be chosen. */
export const untilChoices = ['forever', 'halfHour', 'hour', 'threeHours', 'endOfDay'] as const
/** `kept`: as it was chosen before. */
export type UntilChoice = (typeof untilChoices)[number] | 'kept'

const MINUTES = { halfHour: 30, hour: 60, threeHours: 180 }

/** When it ends; undefined: never by itself. */
export function untilOf(choice: UntilChoice, now: Date, kept?: string): Date | undefined {
  if (choice === 'kept') return kept === undefined ? undefined : new Date(kept)
  if (choice === 'forever') return undefined
  if (choice === 'endOfDay') return new Date(now.getFullYear(), now.getMonth(), now.getDate(), 23, 59, 59)
  return new Date(now.getTime() + MINUTES[choice] * 60_000)
}
