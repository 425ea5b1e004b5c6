/** Words of where people meet, write and plan: one file. */
export { de as calendar } from './calendar.ts'
export { de as chat } from './chat.ts'
export { de as chatFiles } from './chat-files.ts'
export { de as room } from './room.ts'
export { de as stage } from './stage.ts'
