import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { run } from '../commands.ts'
import { COMPILER, type Project } from './project.ts'

/** As a front-end team writes against the packages; what must not compile says so. */
const SOURCE = `
import { AtriumError, type AtriumUnreachable, createAtriumClient, createCookieJar } from '@atrium/client'
import { createChat } from '@atrium/client/chat'
import { createPeople, type Person } from '@atrium/client/people'
import { createLobby } from '@atrium/client/guests'
import { connectRealtime } from '@atrium/client/realtime'
import { createRooms, type Room } from '@atrium/client/rooms'
import { createSession } from '@atrium/client/session'
import { useLobby, usePeople, useRoom, useSession } from '@atrium/react'
import { type Input, operations } from '@atrium/contract'
import { statusChannel } from '@atrium/contract/events'

const office = createAtriumClient({ baseUrl: 'http://localhost:3000', cookies: createCookieJar() })
const user = await office.call('getCurrentUser')
export const name: string = user.displayName
// @ts-expect-error: a name is no number
export const wrong: number = user.displayName
// @ts-expect-error: of the declared type
void office.call('updateProfile', { displayName: 1 })
// @ts-expect-error: no such operation
void office.call('getNobody')
const live = await connectRealtime(office)
live.on('event', (event) => {
  if (event.type === 'message.created') console.log(event.data.sender_id.toFixed())
})
export const first: Person | undefined = createPeople(office, live).get().people[0]
export const unread: number = createChat(office, live).conversations.get().unread
export const room: Room | undefined = createRooms(office, live).room('')
export const waiting: number = createLobby(office, live, '').get().waiting.length
export const inside = (): number => (useRoom('')?.people.length ?? 0) + useLobby('').waiting.length
const session = createSession(office).get()
if (session.state === 'signed-in') console.log(session.user.email)
export const names = (): string[] => usePeople().people.map((one) => one.displayName)
export const state = (): string => useSession().state
export const input: Input<'signIn'> = { email: '' }
export const again = (error: AtriumUnreachable) =>
  office.call('createRoom', { name: '' }, { idempotencyKey: error.idempotencyKey })
console.log(operations.signIn.path, statusChannel('org', 'user'), AtriumError)
`
const CONFIGURATION = {
  compilerOptions: {
    noEmit: true,
    strict: true,
    exactOptionalPropertyTypes: true,
    module: 'nodenext',
    target: 'es2022',
    lib: ['es2022', 'dom', 'dom.iterable'],
    types: [],
    skipLibCheck: false,
  },
  files: ['consumer.ts'],
}

/** @throws Error with what the compiler says */
export async function compilesUnderNodenext({ folder }: Project): Promise<void> {
  await writeFile(join(folder, 'consumer.ts'), SOURCE)
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(CONFIGURATION))
  await run(process.execPath, [COMPILER, '-p', folder])
}
