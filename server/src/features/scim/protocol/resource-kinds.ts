import { roles } from '@atrium/contract'
import type { ResourceKind } from './attributes.ts'

const BY_SERVER = { mutability: 'readOnly' } as const

export const USERS: ResourceKind = {
  name: 'User',
  endpoint: '/Users',
  schema: 'urn:ietf:params:scim:schemas:core:2.0:User',
  description: 'Somebody in the organization',
  attributes: [
    {
      name: 'userName',
      type: 'string',
      description: 'The name by which the directory knows them; unique in the organization.',
      required: true,
      uniqueness: 'server',
    },
    {
      name: 'name',
      type: 'complex',
      description: 'The parts of their name.',
      subAttributes: [
        { name: 'givenName', type: 'string', description: 'The first name.' },
        { name: 'familyName', type: 'string', description: 'The last name.' },
      ],
    },
    { name: 'displayName', type: 'string', description: 'What the others see.' },
    {
      name: 'active',
      type: 'boolean',
      description: 'Whether they are a member. Who is not has no access, on any device, within seconds.',
    },
    {
      name: 'emails',
      type: 'complex',
      multiValued: true,
      description:
        'The address of the account: of several the primary one, else that of work, else the first. Its domain is proven by the organization. Where none was ever given it is the userName; taken away, it stays.',
      required: true,
      staysWithout: true,
      subAttributes: [
        { name: 'value', type: 'string', description: 'The address.', required: true, staysWithout: true },
        {
          name: 'type',
          type: 'string',
          description: 'What it is for.',
          canonicalValues: ['work', 'home', 'other'],
        },
        {
          name: 'primary',
          type: 'boolean',
          description: 'One address is kept: of several that which is primary.',
        },
      ],
    },
    {
      name: 'groups',
      type: 'complex',
      multiValued: true,
      description: 'The groups they are in.',
      ...BY_SERVER,
      subAttributes: [
        { name: 'value', type: 'string', caseExact: true, description: 'The id of the group.', ...BY_SERVER },
        {
          name: '$ref',
          type: 'reference',
          caseExact: true,
          description: 'Where the group is.',
          referenceTypes: ['Group'],
          ...BY_SERVER,
        },
        { name: 'display', type: 'string', description: 'The name of the group.', ...BY_SERVER },
      ],
    },
    {
      name: 'roles',
      type: 'complex',
      multiValued: true,
      description:
        'The role they have, given by an admin or by their groups. A lower one that a patch says is theirs, a higher one is not.',
      ...BY_SERVER,
      isHeard: true,
      subAttributes: [
        {
          name: 'value',
          type: 'string',
          description: 'The role.',
          canonicalValues: roles,
          ...BY_SERVER,
        },
        { name: 'primary', type: 'boolean', description: 'Always: there is one role.', ...BY_SERVER },
      ],
    },
  ],
  letPass: new Set([
    'name.formatted',
    'name.middlename',
    'name.honorificprefix',
    'name.honorificsuffix',
    'emails.display',
    'roles.display',
    'roles.type',
    'nickname',
    'profileurl',
    'title',
    'usertype',
    'preferredlanguage',
    'locale',
    'timezone',
    'password',
    'phonenumbers',
    'ims',
    'photos',
    'addresses',
    'entitlements',
    'x509certificates',
  ]),
}

export const GROUPS: ResourceKind = {
  name: 'Group',
  endpoint: '/Groups',
  schema: 'urn:ietf:params:scim:schemas:core:2.0:Group',
  description: 'People of the organization whom an admin may give a role together',
  attributes: [
    {
      name: 'displayName',
      type: 'string',
      description: 'The name of the group; unique in the organization.',
      required: true,
      uniqueness: 'server',
    },
    {
      name: 'members',
      type: 'complex',
      multiValued: true,
      description: 'Who is in the group: users of the same organization.',
      subAttributes: [
        {
          name: 'value',
          type: 'string',
          caseExact: true,
          description: 'The id of the user.',
          required: true,
          mutability: 'immutable',
        },
        {
          name: '$ref',
          type: 'reference',
          caseExact: true,
          description: 'Where the user is.',
          referenceTypes: ['User'],
          mutability: 'immutable',
        },
        {
          name: 'type',
          type: 'string',
          description: 'Always a user.',
          canonicalValues: ['User'],
          mutability: 'immutable',
        },
      ],
    },
  ],
  letPass: new Set(['members.display']),
}
