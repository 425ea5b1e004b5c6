import { newKeyPair } from '@atrium/client/sealing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sealedRoom } from '../chapters/sealed-rooms.ts'
import {
  enterSealed,
  enterSealedAsGuest,
  goAway,
  leaveSealed,
  type MediaPath,
  newMediaPath,
  type SealingClient,
} from '../chapters/sealing-clients.ts'
import { openTestOffice, type TestOffice } from '../office.ts'
import { newFounder, newMember } from '../people.ts'
import { until } from '../until.ts'

const PATIENCE = { timeout: 30_000 }
/** What is lost is said again after six seconds at most: of a third that is lost, some things take many times. */
const PATIENCE_WITH_LOSS = { timeout: 180_000 }

describe('clients in a sealed room', () => {
  let office: TestOffice
  const paths: MediaPath[] = []
  beforeAll(async () => {
    office = await openTestOffice()
    await until(async () => office.office.jobs.isLeader())
  })
  afterAll(async () => {
    for (const { clients } of paths) for (const { room } of clients) room.close()
    await office.close()
  })

  async function scene() {
    const founder = await newFounder(office)
    const path = newMediaPath()
    paths.push(path)
    return { founder, path, roomId: await sealedRoom(founder) }
  }
  const wordsOf = (clients: readonly SealingClient[]) => clients.map(({ room }) => room.get().words)
  const keyOf = ({ room, used }: SealingClient) => used.get(room.get().epoch)

  /** All have the same key, and the same words. */
  const agree = (...clients: SealingClient[]) => agreeWithin(PATIENCE, clients)
  async function agreeWithin(patience: typeof PATIENCE, clients: readonly SealingClient[]): Promise<string> {
    await expect
      .poll(() => new Set([...wordsOf(clients), ...clients.map(keyOf)]), patience)
      .toEqual(new Set([expect.any(String), expect.any(String)]))
    expect(wordsOf(clients)[0]).toMatch(/^\w{5} \w{5} \w{5} \w{5}$/)
    return keyOf(clients[0] as SealingClient) as string
  }

  it('come to one key and the same words, of two, of three, and with a guest', async () => {
    const { founder, path, roomId } = await scene()
    const member = await newMember(office, founder, 'member')
    const one = await enterSealed(office, path, { person: founder, roomId })
    const alone = await agree(one)
    const other = await enterSealed(office, path, { person: member, roomId })
    const both = await agree(one, other)
    const guest = await enterSealedAsGuest(office, path, { founder, roomId })
    const all = await agree(one, other, guest)
    expect(new Set([alone, both, all]).size).toBe(3)
    expect(one.room.get().unsealed).toEqual([])
  })

  it('have a key that whoever has left has not, also where the one whose turn it was is silent', async () => {
    const { founder, path, roomId } = await scene()
    const [first, second] = [
      await newMember(office, founder, 'member'),
      await newMember(office, founder, 'member'),
    ]
    let isSilent = false
    const silent = await enterSealed(office, path, { person: founder, roomId }, (honest) => ({
      ...honest,
      send: async (epoch, boxes) => {
        if (isSilent) throw new Error('away')
        return (await honest.send?.(epoch, boxes)) ?? false
      },
    }))
    const one = await enterSealed(office, path, { person: first, roomId })
    await agree(silent, one)
    const other = await enterSealed(office, path, { person: second, roomId })
    const before = await agree(silent, one, other)
    const { epoch } = one.room.get()
    isSilent = true
    await leaveSealed(office, path, { person: second, roomId })
    await expect.poll(() => one.room.get().epoch, PATIENCE).toBeGreaterThan(epoch)
    expect(await agree(silent, one)).not.toBe(before)
    expect([...other.used.values()]).not.toContain(keyOf(one))
    const devices = await second.browser.call('listDevices', { userId: second.id })
    const deviceId = devices.devices[0]?.deviceId ?? ''
    expect((await second.browser.call('fetchRoomKey', { roomId, deviceId })).box).toBeNull()
  })

  it('come to one key where all come at once, and lose a third of what they say', async () => {
    const { founder, path, roomId } = await scene()
    let seed = 7
    path.meddle = ({ payload }) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
      return seed > 2 ** 31 / 3 ? payload : undefined
    }
    const people = [
      founder,
      await newMember(office, founder, 'member'),
      await newMember(office, founder, 'admin'),
    ]
    const clients = await Promise.all(people.map((person) => enterSealed(office, path, { person, roomId })))
    await agreeWithin(PATIENCE_WITH_LOSS, clients)
  })

  it('seal to no key that the office does not list, whoever says it', async () => {
    const { founder, path, roomId } = await scene()
    const member = await newMember(office, founder, 'member')
    const made = await newKeyPair()
    path.meddle = ({ from, payload }) => {
      const said = JSON.parse(Buffer.from(payload).toString())
      const isSwapped = said.kind === 'hello' && from === member.id
      return isSwapped ? Buffer.from(JSON.stringify({ ...said, publicKey: made.publicKey })) : payload
    }
    const one = await enterSealed(office, path, { person: founder, roomId })
    const alone = await agree(one)
    const other = await enterSealed(office, path, { person: member, roomId })
    await expect.poll(() => one.room.get().unsealed, PATIENCE).toEqual([member.id])
    expect(keyOf(one)).toBe(alone)
    goAway(path, other)
    await expect.poll(() => one.room.get().unsealed, PATIENCE).toEqual([])
  })

  it('leave out, from the next key on, a device that was ended meanwhile', async () => {
    const { founder, path, roomId } = await scene()
    const [ended, third, fourth] = [
      await newMember(office, founder, 'member'),
      await newMember(office, founder, 'member'),
      await newMember(office, founder, 'member'),
    ]
    const one = await enterSealed(office, path, { person: founder, roomId })
    const lost = await enterSealed(office, path, { person: ended, roomId })
    const other = await enterSealed(office, path, { person: third, roomId })
    await agree(one, lost, other)
    const { devices } = await ended.browser.call('listDevices', { userId: ended.id })
    await ended.browser.call('endDevice', { deviceId: devices[0]?.deviceId ?? '' })
    const last = await enterSealed(office, path, { person: fourth, roomId })
    const left = [ended.id]
    const unsealed = () => [one, other, last].map(({ room }) => room.get().unsealed)
    await expect.poll(unsealed, PATIENCE).toEqual([left, left, left])
    const key = await agree(one, other, last)
    expect([...lost.used.values()]).not.toContain(key)
  })

  it('are heard by a guest also where one of them is left out, and the guest is shown who', async () => {
    const { founder, path, roomId } = await scene()
    const member = await newMember(office, founder, 'member')
    const one = await enterSealed(office, path, { person: founder, roomId })
    const lost = await enterSealed(office, path, { person: member, roomId })
    await agree(one, lost)
    const { devices } = await member.browser.call('listDevices', { userId: member.id })
    await member.browser.call('endDevice', { deviceId: devices[0]?.deviceId ?? '' })
    const guest = await enterSealedAsGuest(office, path, { founder, roomId })
    await expect.poll(() => guest.room.get().unsealed, PATIENCE).toEqual([member.id])
    await agree(one, guest)
    expect(one.room.get().unsealed).toEqual([member.id])
  })

  it('leave nothing of a key at the office, nor in what they say to each other', async () => {
    const { founder, path, roomId } = await scene()
    const member = await newMember(office, founder, 'member')
    const one = await enterSealed(office, path, { person: founder, roomId })
    const other = await enterSealed(office, path, { person: member, roomId })
    await agree(one, other)
    const keys = [...one.used.values(), ...other.used.values()]
    expect(keys.length).toBeGreaterThan(1)
    const kept = [await everyRow(office), ...path.packets.map((packet) => Buffer.from(packet).toString())]
    for (const key of keys) {
      const forms = [
        key,
        Buffer.from(key, 'base64url').toString('base64'),
        Buffer.from(key, 'base64url').toString('hex'),
      ]
      for (const form of forms) expect(kept.some((text) => text.includes(form))).toBe(false)
    }
    // the search finds what is there
    expect(kept[0]).toContain(one.keys.publicKey)
  })
})

/** All rows of all tables, as text. */
async function everyRow({ database: { pool } }: TestOffice): Promise<string> {
  const { rows } = await pool.query<{ name: string }>(
    `select quote_ident(table_name) as name from information_schema.tables
      where table_schema = 'public' and table_type = 'BASE TABLE'`,
  )
  const texts = await Promise.all(
    rows.map(async ({ name }) => {
      const found = await pool.query<{ text: string | null }>(
        `select string_agg(t::text, E'\\n') as text from ${name} t`,
      )
      return found.rows[0]?.text ?? ''
    }),
  )
  return texts.join('\n')
}
