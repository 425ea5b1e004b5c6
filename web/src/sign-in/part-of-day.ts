const MORNING_FROM = 5
const AFTERNOON_FROM = 12
const EVENING_FROM = 18

/** @param hour of the day, from 0 to 23, by the clock of the device */
export function partOfDay(hour: number): 'morning' | 'afternoon' | 'evening' {
  if (hour < MORNING_FROM || hour >= EVENING_FROM) return 'evening'
  return hour < AFTERNOON_FROM ? 'morning' : 'afternoon'
}
