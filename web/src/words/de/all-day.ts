/** Words of the first screen and of what goes with every one: one file. */
export { de as attention } from './attention.ts'
export { de as colleague } from './colleague.ts'
export { de as copying } from './copying.ts'
export { de as floor } from './floor.ts'
export { de as lockedDoor } from './locked-door.ts'
export { de as recordings } from './recordings.ts'
export { de as shell } from './shell.ts'
export { de as smallCall } from './small-call.ts'
