/** One walk by openapi-fetch over the types of openapi-typescript: in, oneself, a room made, listed, and refused in words. */
import createClient from 'openapi-fetch'
import type { paths } from './schema'

let cookie = ''
const client = createClient<paths>({
  baseUrl: process.env.OFFICE ?? '',
  fetch: async (request: Request) => {
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
await client.POST('/auth/dev-sign-in', { body: {} })
const user = must((await client.POST('/user/get')).data)
const wanted = { name: 'A room of openapi-fetch', seats: 4 }
const { room } = must((await client.POST('/api/v1/rtc/room-create', { body: wanted })).data)
const { rooms } = must((await client.POST('/api/v1/rtc/rooms/list')).data)
if (!rooms.some(({ id }) => id === room.id)) throw new Error('it is not listed')
const again = await client.POST('/api/v1/rtc/room-create', { body: wanted })
if (again.error?.error !== 'room-exists') throw new Error(JSON.stringify(again.error))
console.log(`walked: ${user.email}, ${room.name}, ${room.seats} seats`)
