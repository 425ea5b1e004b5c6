import { connectRealtime, type Realtime } from '@atrium/client/realtime'
import { CHAT_FUNCTIONS, type OperationId, operationEntries } from '@atrium/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findOrganization } from '../../src/directory/organizations.ts'
import { trusted } from '../../src/platform/ids.ts'
import { type Chatter, chatterOf, openDm, openGroup } from '../chapters/chat.ts'
import type { TestOffice } from '../office.ts'
import { newFounder, newMember, newPerson, type Person, signedInBrowser } from '../people.ts'
import { until } from '../until.ts'
import { type ChatStage, chatRows, readChat } from './chat-rows.ts'
import { reads } from './operation-row.ts'
import { rows } from './rows.ts'
import { type AnyInput, openTrialOffice, type Stage, send, stageOf } from './stage.ts'
import { differences, type Seen, withoutChance } from './what-is-seen.ts'

/** What Ben does without being seen: all that is not declared visible. */
const hidden = operationEntries.filter(([id]) => !rows[id].visible).map(([id]) => id)
const hiddenInChat = CHAT_FUNCTIONS.filter((name) => !chatRows[name].visible)
/** What Ada and Cleo look at afterwards. */
const readings = operationEntries.filter(([id]) => rows[id].audit === reads)

interface Observer extends Person {
  name: string
  chatter: Chatter
  live: Realtime
  /** Everything that came by the connection. */
  told: Record<'user' | 'organization' | 'status', unknown[]>
}

interface Scene {
  organizationId: string
  ada: Observer
  ben: Chatter
  cleo: Observer
  chat: ChatStage
}

/**
 * Non-interference: of two scenes that are alike but for Ben, who is away in the one, and in the other there without being seen
 * and does everything that is not declared visible, the others are shown the same.
 */
describe('somebody invisible', () => {
  let office: TestOffice
  let away: Seen
  const ends: (() => void)[] = []
  beforeAll(async () => {
    office = await openTrialOffice({ settings: COUNTED })
    away = await shownOf(await setScene())
  })
  afterAll(async () => {
    for (const end of ends) end()
    await office.close()
  })

  async function observerOf(name: string, person: Person): Promise<Observer> {
    const live = await connectRealtime(person.browser)
    ends.push(() => live.close())
    const told: Observer['told'] = { user: [], organization: [], status: [] }
    live.on('event', ({ scope, type, data }) => void told[scope].push({ type, data }))
    live.on('status', (record) => void told.status.push(record))
    await until(() => live.state === 'connected')
    return { ...person, name, chatter: await chatterOf(office, person), live, told }
  }

  /** An organization of three who have written to each other; the names are the same each time. */
  async function setScene(): Promise<Scene> {
    const founder = await newFounder(office, 'Invisible')
    const people = [
      founder,
      await newMember(office, founder, 'admin'),
      await newMember(office, founder, 'guest'),
    ]
    for (const [index, displayName] of ['Ada', 'Ben', 'Cleo'].entries())
      await people[index]?.browser.call('updateProfile', { displayName })
    const [one, two, three] = people as [Person, Person, Person]
    const ben = await chatterOf(office, two)
    const [ada, cleo] = [await observerOf('Ada', one), await observerOf('Cleo', three)]
    const conversation = await openDm(ada.chatter, ben)
    await openGroup(ada.chatter, [ben, cleo], 'All three')
    await openDm(cleo.chatter, ben)
    const write = async (from: Chatter, content: string) => {
      const message = { conversation_id: conversation, content }
      const { data, error } = await from.rest.from('messages').insert(message).select('message_id').single()
      if (error) throw error
      return data.message_id as number
    }
    await write(ben, 'Back tomorrow')
    const message = await write(ada.chatter, 'Are you there?')
    const { data } = await ada.browser.call('listMembers', { limit: 100 })
    for (const { live } of [ada, cleo]) live.follow(data.map((member) => member.presenceUserId))
    const { organizationId } = founder
    const scene = { organizationId, ada, ben, cleo, chat: { conversation, message } }
    await untilTold(scene, 'Everything is set')
    for (const { told } of [ada, cleo]) for (const list of Object.values(told)) list.length = 0
    return scene
  }

  async function stageFor(scene: Scene, founder: Person, guest: Person): Promise<Stage> {
    const { organizationId } = scene
    return stageOf(office, {
      founder: { ...founder, organizationId },
      guest,
      newcomer: await newPerson(office),
    })
  }

  /** What has to be there for what Ben does, made in both scenes; in one of them he does it. */
  async function passTime(scene: Scene, { isThere }: { isThere: boolean }): Promise<void> {
    const { ben, cleo, chat, organizationId } = scene
    const found = await findOrganization(office.database.db, trusted.identityOrganizationId(organizationId))
    // some of it ends sessions, or moves them
    const signedIn = async () => {
      const user = { email: ben.email, id: trusted.userId(ben.id) }
      return { ...ben, ...(await signedInBrowser(office, user, found?.id)) }
    }
    const beThere = unseen()
    for (const id of hidden) {
      const actor = await signedIn()
      const stage = await stageFor(scene, actor, cleo)
      const given = (await rows[id].input?.(stage, actor)) ?? {}
      if (!isThere) continue
      await beThere(actor)
      const browser = rows[id].caller === 'visitor' ? stage.visitor : actor.browser
      const { status, body } = await send(browser, id, given)
      expect({ id, body, done: status < 300 }).toMatchObject({ done: true })
    }
    const reader = await signedIn()
    if (!isThere) return
    await beThere(reader)
    const { rest } = await chatterOf(office, reader)
    for (const name of hiddenInChat) {
      const { error } = await rest.rpc(name, chatRows[name].input?.(chat))
      expect({ name, error }).toEqual({ name, error: null })
    }
  }

  /** @returns connects a person, unseen; again where that ended a session */
  function unseen(): (person: Pick<Person, 'browser'>) => Promise<void> {
    let live: Realtime | undefined
    return async ({ browser }) => {
      await browser.call('setPresenceStatus', { status: 'appear_offline' })
      if (live?.state === 'connected') return
      const mine = await connectRealtime(browser)
      live = mine
      ends.push(() => mine.close())
      await until(() => mine.state === 'connected')
    }
  }

  /** Everything that Ada and Cleo can see. */
  async function shownOf(scene: Scene): Promise<Seen> {
    const seen: Seen = {}
    const { ada, ben, cleo, chat } = scene
    await untilTold(scene, 'This is all')
    for (const { name, told } of [ada, cleo]) seen[`${name} is told`] = structuredClone(told)
    const stage = await stageFor(scene, ada, ben)
    for (const [id, { body }] of readings) {
      const { input, roles } = rows[id]
      const given: AnyInput = { ...(await input?.(stage, ada)) }
      if (body && 'limit' in body.properties) given.limit = 100
      seen[`Ada: ${id}`] = await answerOf(ada, id, given)
      if (!roles || roles.includes('guest')) seen[`Cleo: ${id}`] = await answerOf(cleo, id, given)
    }
    for (const { name, chatter } of [ada, cleo])
      for (const [what, answer] of Object.entries(await readChat(chatter, chat)))
        seen[`${name}: ${what}`] = answer
    return Object.fromEntries(Object.entries(seen).map(([what, shown]) => [what, withoutChance(shown)]))
  }

  async function answerOf({ browser }: Observer, id: OperationId, given: AnyInput) {
    const { status, body } = await send(browser, id, given)
    return { status, body }
  }

  /** What was published so far has arrived. */
  async function untilTold({ ada, cleo, organizationId }: Scene, name: string): Promise<void> {
    await until(async () => {
      const { rowCount } = await office.database.pool.query('select from centrifugo_outbox limit 1')
      return rowCount === 0
    })
    await ada.browser.call('updateOrganization', { organizationId, name })
    for (const { told } of [ada, cleo])
      await until(() => JSON.stringify(told.organization.at(-1))?.includes(name) === true)
  }

  it('is to others as somebody who is away, whatever they do unseen', async () => {
    const [scene, empty] = [await setScene(), await setScene()]
    await passTime(empty, { isThere: false })
    await passTime(scene, { isThere: true })
    expect(differences(await shownOf(empty), await shownOf(scene))).toEqual([])
  })

  it('is not to be seen by reading', () => {
    expect(readings.filter(([id]) => rows[id].visible)).toEqual([])
  })

  it('alike scenes are shown alike', async () => {
    expect(differences(away, await shownOf(await setScene()))).toEqual([])
    expect(Object.keys(away).length).toBeGreaterThan(60)
  })

  it.each<[string, RegExp, (scene: Scene) => Promise<unknown>]>([
    [
      'a row',
      /listMembers.*Benno/,
      ({ ben }) =>
        office.database.pool.query(`update users set display_name = 'Benno' where id = $1`, [ben.id]),
    ],
    [
      'an event',
      /Cleo is told.organization.0/,
      ({ organizationId, ben }) =>
        office.database.pool.query(
          `select append_event(array['org:' || $1], 'profile.updated', now(), jsonb_build_object('userId', $2::text), 'profile')`,
          [organizationId, ben.id],
        ),
    ],
    [
      'a count',
      /messages.*reply_count: 0 is 1/,
      ({ chat }) =>
        office.database.pool.query(
          'update messages set reply_count = reply_count + 1 where message_id = $1',
          [chat.message],
        ),
    ],
    [
      'an order',
      /Ada: get_conversations.0/,
      ({ chat }) =>
        office.database.pool.query(
          `update conversations set updated_at = updated_at + interval '1 hour' where conversation_id <> $1
            and org_id = (select org_id from conversations where conversation_id = $1)`,
          [chat.conversation],
        ),
    ],
  ])('%s that leaks is found', async (_kind, where, leak) => {
    const scene = await setScene()
    await leak(scene)
    const found = differences(away, await shownOf(scene))
    expect(found.join('\n')).toMatch(where)
  })
})

/** Counters that admins are shown. */
const COUNTED = { RATE_LIMIT_SIGN_ON_TRIALS_PER_ORGANIZATION: '60', RATE_LIMIT_EXPORTS_PER_ORGANIZATION: '5' }
