/** Words of where people meet and write: one file. */
export { en as chat } from './chat.ts'
export { en as chatFiles } from './chat-files.ts'
export { en as room } from './room.ts'
export { en as stage } from './stage.ts'
