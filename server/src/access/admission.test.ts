import type { Role } from '@atrium/contract'
import { describe, expect, it } from 'vitest'
import type { Departure, Remover } from '../directory/members/departures.ts'
import { admissionRole, type WayIn } from './admission.ts'

const WENT = new Date('2026-03-23T08:00:00Z')
const left = (role: Role): Departure => ({ kind: 'left', role, at: WENT })
const removed = (removedBy: Remover): Departure => ({ kind: 'removed', removedBy, role: 'admin', at: WENT })

describe('the role that a person comes in with', () => {
  it.each([
    ['link', 'member', undefined, 'member'],
    ['link', 'member', left('guest'), 'guest'],
    ['link', 'member', left('admin'), 'member'],
    ['single-sign-on', 'member', left('guest'), 'guest'],
    ['single-sign-on', 'member', undefined, 'member'],
    ['invitation', 'admin', left('guest'), 'admin'],
    ['invitation', 'guest', left('admin'), 'guest'],
    ['invitation', 'moderator', removed('user'), 'removed'],
    ['link', 'member', removed('user'), 'removed'],
    ['link', 'member', removed('operator'), 'removed'],
    ['link', 'member', removed('identity-provider'), 'removed'],
    ['link', 'member', removed('directory'), 'removed'],
    ['single-sign-on', 'member', removed('user'), 'removed'],
    ['directory', 'moderator', undefined, 'moderator'],
    ['directory', 'moderator', removed('directory'), 'moderator'],
    ['directory', 'member', removed('user'), 'removed'],
    ['directory', 'member', removed('operator'), 'removed'],
    ['directory', 'member', removed('identity-provider'), 'removed'],
    ['directory', 'member', left('guest'), 'guest'],
  ] as [WayIn, Role, Departure | undefined, Role | 'removed'][])(
    'by %s, which gives %s, after %j: %s',
    (way, offered, departure, role) => {
      expect(admissionRole(way, offered, departure)).toBe(role)
    },
  )

  it('by an invitation of after the removal is that of the invitation', () => {
    const invited = (milliseconds: number) =>
      admissionRole('invitation', 'moderator', removed('user'), new Date(WENT.getTime() + milliseconds))
    expect([invited(-1), invited(0), invited(1)]).toEqual(['removed', 'removed', 'moderator'])
  })
})
