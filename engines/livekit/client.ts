import { enter } from './people.ts'

/** A client in a process of its own, to be killed: joins with the token it is given, and speaks until the end. */
const present = await enter(process.argv[2] ?? '')
await present.speak()
process.send?.('speaking')
