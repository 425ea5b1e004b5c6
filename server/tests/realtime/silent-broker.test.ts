import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTestOffice, type TestOffice } from '../office.ts'
import { newFounder, newMember } from '../people.ts'
import { BROKER_THAT_IS_AWAY } from '../process/kill-two-nodes.ts'
import { until } from '../until.ts'

/** Takes connections and everything that is sent, and never says a word. */
let silent: Server
const sockets: Socket[] = []
let heard = 0
let office: TestOffice
beforeAll(async () => {
  silent = createServer((socket) => {
    sockets.push(socket)
    socket.on('data', () => {
      heard += 1
    })
    socket.on('error', () => {})
  })
  silent.listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo
  const settings = {
    ...BROKER_THAT_IS_AWAY,
    CENTRIFUGO_API_URL: `http://127.0.0.1:${port}`,
  }
  office = await openTestOffice({ settings, jobsAtOnce: true })
})
afterAll(async () => {
  for (const socket of sockets) socket.destroy()
  silent.close()
  await office.close()
})

it('no request waits for a broker that takes connections and says nothing', async () => {
  const founder = await newFounder(office)
  const member = await newMember(office, founder, 'member')
  // something of ours is being kept waiting, for eight seconds
  await until(() => heard > 0)
  const began = performance.now()
  await founder.browser.call('mintConnectionToken')
  await founder.browser.call('setPresenceStatus', { status: 'busy' })
  await founder.browser.call('createRoom', { name: 'Kitchen' })
  await founder.browser.call('updateMember', { id: member.id, role: 'moderator' })
  await founder.browser.call('removeMember', { id: member.id })
  await member.browser.call('signOut')
  await founder.browser.call('signOut')
  expect(performance.now() - began).toBeLessThan(7_000)
  const { rows } = await office.database.pool.query('select count(*)::int as n from centrifugo_outbox')
  expect(rows[0].n).toBeGreaterThan(3)
})
