/** Words of where people meet and write: one file. */
export { de as chat } from './chat.ts'
export { de as chatFiles } from './chat-files.ts'
export { de as room } from './room.ts'
export { de as stage } from './stage.ts'
