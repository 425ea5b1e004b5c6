/** Words of the calendar: a file of their own. */
export { de as calendar } from './calendar.ts'
