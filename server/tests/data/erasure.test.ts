import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freshEmail, openTestOffice, type TestOffice } from '../office.ts'
import { newFounder, newMember } from '../people.ts'
import { until } from '../until.ts'
import { readDataMap } from './data-map.ts'
import { deleteAccountOf, plantCanaries, trailIsWhole, untilErased } from './erasure-scene.ts'
import { whereStored } from './stored-text.ts'

const HOUR_SECONDS = 60 * 60

describe('the erasure of a person', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice({
      settings: { ATRIUM_ALLOW_PRIVATE_WEBHOOKS: 'true', TRUST_PROXY: '127.0.0.1' },
    })
    // what it would deliver shall be there
    await office.office.work.worker('webhooks').stop()
  })
  afterAll(() => office.close())

  it('leaves no value of them in any column, file or mail, and trails that hold', async () => {
    const { person, founder, texts: planted, identityId } = await plantCanaries(office)
    // those that come now wait
    await office.office.work.worker('mail').stop()
    await office.browser().call('signIn', { email: person.email })
    await person.browser.call('sendInvitation', { email: 'last-invited@people.example' })
    const wished = freshEmail('canarythree')
    await person.browser.call('changeEmail', { email: wished })
    const texts = [...planted, wished]

    const before = await whereStored(office, [...texts, identityId])
    const columns = new Set(before.map((place) => place.split(': ')[0]))
    const wanted = readDataMap().filter(({ kind }) => kind === 'person')
    expect(wanted.filter(({ column }) => !columns.has(column))).toEqual([])
    expect([...columns]).toEqual(expect.arrayContaining(['a mail']))

    await deleteAccountOf(office, person, { mailsWait: true })
    await untilErased(office, person.id)
    expect(await whereStored(office, texts)).toEqual([])
    const { rows } = await office.database.pool.query('select language from users where id = $1', [person.id])
    expect(rows).toEqual([{ language: null }])
    expect(await trailIsWhole(office, founder.organizationId)).toBe(true)

    // the second pass, for what was under way
    await office.database.pool.query(`update ended_access set ended_at = ended_at - interval '1 hour'`)
    office.clock.advance(HOUR_SECONDS + 1)
    await until(async () => {
      await office.office.work.worker('erasures').drain()
      return (await whereStored(office, [...texts, identityId])).length === 0
    })
    office.clock.advance(-HOUR_SECONDS - 1)
  })

  it('goes on where a node has died between confirmation and erasure', async () => {
    const founder = await newFounder(office)
    const person = await newMember(office, founder, 'member')
    const beside = await openTestOffice({ beside: office })
    for (const node of [office, beside]) await node.office.work.worker('erasures').stop()
    await person.browser.call('updateProfile', { displayName: 'Canary of a crash' })
    await deleteAccountOf(office, person)
    expect(await whereStored(office, [person.email])).toContain(`work_items.payload: ${person.email}`)
    await beside.close()
    const restarted = await openTestOffice({ beside: office })
    await untilErased(office, person.id)
    expect(await whereStored(office, [person.email, 'Canary of a crash'])).toEqual([])
    await restarted.close()
  })
})

describe('an erasure that fails in one part', () => {
  it('does the others, is told without what it is about, and is done once that part works', async () => {
    const office = await openTestOffice()
    const { pool } = office.database
    const founder = await newFounder(office)
    const person = await newMember(office, founder, 'member')
    await person.browser.call('setPresenceStatus', { status: 'busy', note: 'Canary of a failure' })
    await pool.query(`
      create function refuse_deletion() returns trigger language plpgsql as $$ begin raise exception 'not now'; end $$;
      create trigger refused before update on audit_entries for each row execute function refuse_deletion()`)
    await deleteAccountOf(office, person)
    await until(async () => (await whereStored(office, ['Canary of a failure'])).length === 0)
    const { rows } = await pool.query(`select last_error, dead_at from work_items where queue = 'erasures'`)
    expect(rows).toMatchObject([{ dead_at: null }])
    expect(String(rows[0].last_error)).not.toContain(person.email)
    await pool.query('drop trigger refused on audit_entries')
    await pool.query(`update work_items set run_at = now() - interval '1 minute' where queue = 'erasures'`)
    await untilErased(office, person.id)
    expect(await trailIsWhole(office, founder.organizationId)).toBe(true)
    await office.close()
  })
})
