/** Words of the first screen and of what goes with every one: one file. */
export { en as attention } from './attention.ts'
export { en as colleague } from './colleague.ts'
export { en as copying } from './copying.ts'
export { en as floor } from './floor.ts'
export { en as lockedDoor } from './locked-door.ts'
export { en as recordings } from './recordings.ts'
export { en as shell } from './shell.ts'
export { en as smallCall } from './small-call.ts'
