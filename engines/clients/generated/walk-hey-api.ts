/** One walk by the client that hey-api makes: in, oneself, a room made, listed, and refused in words. */

import { client } from './hey/client.gen'
import { createRoom, devSignIn, getCurrentUser, listRooms } from './hey/sdk.gen'

let cookie = ''
client.setConfig({
  baseUrl: process.env.OFFICE ?? '',
  fetch: async (input: RequestInfo | URL, init?: RequestInit) => {
    const request = new Request(input, init)
    if (cookie) request.headers.set('cookie', cookie)
    const answer = await fetch(request)
    cookie =
      answer.headers
        .getSetCookie()
        .map((one) => one.split(';')[0])
        .join('; ') || cookie
    return answer
  },
})
const must = <Value>(value: Value | undefined): Value => {
  if (value === undefined) throw new Error('no answer')
  return value
}
await devSignIn({ body: {} })
const user = must((await getCurrentUser()).data)
const wanted = { name: 'A room of hey-api', seats: 4 }
const { room } = must((await createRoom({ body: wanted })).data)
const { rooms } = must((await listRooms()).data)
if (!rooms.some(({ id }) => id === room.id)) throw new Error('it is not listed')
const again = await createRoom({ body: wanted })
if (again.error?.error !== 'room-exists') throw new Error(JSON.stringify(again.error))
console.log(`walked: ${user.email}, ${room.name}, ${room.seats} seats`)
