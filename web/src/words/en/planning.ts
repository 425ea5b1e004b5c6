/** Words of the calendar: a file of their own. */
export { en as calendar } from './calendar.ts'
