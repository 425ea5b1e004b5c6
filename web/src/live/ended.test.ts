import type { SessionState } from '@atrium/client/session'
import { describe, expect, it } from 'vitest'
import { endOf } from './ended.ts'

const member = (currentOrganizationId: string) =>
  ({
    state: 'signed-in',
    user: {
      currentOrganizationId,
      organizationMemberships: [{ organization: { id: 'org_1', name: 'Engines' } }],
    },
  }) as SessionState
const outside: SessionState = { state: 'signed-out' }

describe('why a person is outside', () => {
  it('is the end of their session, or that they wanted it', () => {
    expect(endOf(member('org_1'), outside, undefined)).toEqual({ what: 'session' })
    expect(endOf(member('org_1'), outside, 'signed-out')).toEqual({ what: 'signed-out' })
    const removed = { what: 'membership', organization: 'Engines' } as const
    expect(endOf(member(''), outside, removed)).toEqual(removed)
    expect(endOf(member('org_1'), outside, 'account-deleted')).toEqual({ what: 'account-deleted' })
  })

  it('is the end of their membership, which has a name', () => {
    expect(endOf(member('org_1'), member(''), undefined)).toEqual({
      what: 'membership',
      organization: 'Engines',
    })
  })

  it('is nothing where they were not inside, or are', () => {
    expect(endOf({ state: 'unknown' }, outside, undefined)).toBeUndefined()
    expect(endOf(outside, outside, undefined)).toBeUndefined()
    expect(endOf(member(''), member('org_1'), undefined)).toBeUndefined()
    expect(endOf(member('org_1'), member('org_2'), undefined)).toBeUndefined()
  })
})
