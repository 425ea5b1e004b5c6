import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { type AtriumClient, createAtriumClient, createCookieJar } from '@atrium/client'
import type { Check } from '../engine.ts'
import { mailedCode } from '../mailbox.ts'
import type { NotificationGate } from './notification-gate.ts'

/** The bounds that are promised (docs/spec-ledger.md). */
const TOLD_WITHIN_MS = 1_000
const CUT_WITHIN_MS = 10_000
const ROUNDS = 10
const ASK_EVERY_MS = 5

interface Person {
  id: string
  client: AtriumClient
  /** What the other node answers to a request of theirs. */
  asksOther(path: string): Promise<number>
}

/** A change at one node that takes something from a person. */
interface AuditEntry {
  name: string
  run(): Promise<unknown>
  /** Answered 200 by the other node before it, and `refusal` after it. */
  probe(): Promise<number>
  refusal: number
}

/** Measures how long what one node has taken from a person still works at the other one. */
export async function tryRevocation(one: string, other: string, gate: NotificationGate, check: Check) {
  await check(`the other node refuses within ${TOLD_WITHIN_MS} ms what was taken at one`, async () => {
    const times = new Map<string, number[]>()
    for (let round = 0; round < ROUNDS; round++)
      for (const change of await prepare(one, other)) {
        const took = await timeToRefusal(change)
        times.set(change.name, [...(times.get(change.name) ?? []), took])
      }
    report(times, TOLD_WITHIN_MS)
  })
  for (const [how, begin] of [
    ['closed', () => gate.cut()],
    ['silent', () => gate.silence()],
  ] as const)
    await check(`within ${CUT_WITHIN_MS} ms where its notifications are cut off (${how})`, async () => {
      const changes = await prepare(one, other)
      try {
        begin()
        const times = new Map<string, number[]>()
        await Promise.all(
          changes.map(async (change) => times.set(change.name, [await timeToRefusal(change)])),
        )
        report(times, CUT_WITHIN_MS)
      } finally {
        await gate.mend()
      }
    })
}

function report(times: ReadonlyMap<string, number[]>, boundMs: number): void {
  for (const [name, took] of times) {
    const sorted = took.toSorted((a, b) => a - b)
    const [median, longest] = [sorted[sorted.length >> 1] ?? 0, sorted.at(-1) ?? 0]
    const figures =
      took.length === 1
        ? `${Math.round(longest)} ms`
        : `median ${Math.round(median)} ms, longest ${Math.round(longest)} ms of ${took.length}`
    console.log(`      ${name}: ${figures}`)
  }
  // of several the median: on a machine with other work one of them says nothing about us
  const medians = [...times.values()].map((took) => took.toSorted((a, b) => a - b)[took.length >> 1] ?? 0)
  assert.ok(Math.max(...medians) <= boundMs, `took ${Math.round(Math.max(...medians))} ms`)
}

/** From the answer to the change on: what the person who did it may rely on. */
async function timeToRefusal({ name, run, probe, refusal }: AuditEntry): Promise<number> {
  // twice: what is read while news still come in is answered, and not remembered
  for (let times = 0; times < 2; times++) {
    assert.equal(await probe(), 200, `${name}: the other node lets them before`)
    await pause(100)
  }
  await run()
  const done = performance.now()
  for (;;) {
    const status = await probe()
    const took = performance.now() - done
    if (status === refusal) return took
    assert.equal(status, 200, name)
    if (took > 2 * CUT_WITHIN_MS) throw new Error(`${name}: not refused after ${Math.round(took)} ms`)
    await pause(ASK_EVERY_MS)
  }
}

async function prepare(one: string, other: string): Promise<AuditEntry[]> {
  const admin = await newPerson(one, other)
  const { id: organizationId } = await admin.client.call('createOrganization', { name: 'Revoked' })
  const { inviteLink } = await admin.client.call('getInviteLink')
  const inviteToken = new URL(inviteLink).searchParams.get('invite_token') ?? ''
  const [removed, demoted, left] = [
    await newPerson(one, other),
    await newPerson(one, other),
    await newPerson(one, other),
  ]
  for (const { client } of [removed, demoted, left]) await client.call('joinOrganization', { inviteToken })
  await admin.client.call('updateMember', { id: demoted.id, role: 'admin' })
  const leaver = await newPerson(one, other)
  // another organization: what is deleted must not take the others' away before their turn
  const founder = await newPerson(one, other)
  const { id } = await founder.client.call('createOrganization', { name: 'Deleted' })
  assert.notEqual(id, organizationId)
  return [
    {
      name: 'sign-out',
      run: () => leaver.client.call('signOut'),
      probe: () => leaver.asksOther('/user/get'),
      refusal: 401,
    },
    {
      name: 'member removed',
      run: () => admin.client.call('removeMember', { id: removed.id }),
      probe: () => removed.asksOther('/members/list'),
      refusal: 403,
    },
    {
      name: 'role changed',
      run: () => admin.client.call('updateMember', { id: demoted.id, role: 'member' }),
      probe: () => demoted.asksOther('/api/v1/organizations/audit-log/list'),
      refusal: 403,
    },
    {
      name: 'organization deleted',
      run: () => founder.client.call('deleteOrganization', { organizationId: id }),
      probe: () => founder.asksOther('/members/list'),
      refusal: 403,
    },
  ]
}

async function newPerson(one: string, other: string): Promise<Person> {
  const email = `person-${randomBytes(6).toString('hex')}@revocation.example`
  const cookies = createCookieJar()
  const client = createAtriumClient({ baseUrl: one, cookies })
  await client.call('signUp', { email })
  const { user } = await client.call('finalizeMagicAuth', { email, code: await mailedCode(one, email) })
  // kept from now: a sign-out takes it from the jar
  const cookie = cookies.headerFor(new URL(one)) ?? ''
  return {
    id: user.id,
    client,
    async asksOther(path) {
      const response = await fetch(other + path, {
        method: 'POST',
        headers: { cookie, 'content-type': 'application/json' },
        body: '{}',
      })
      await response.arrayBuffer()
      return response.status
    },
  }
}
