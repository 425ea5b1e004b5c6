import type { SuccessBody } from '@atrium/client'

type LimitName = SuccessBody<'getOrganizationLimits'>['limits'][number]['name']

const names: Record<LimitName, string> = {
  rooms: 'Rooms',
  webhooks: 'Webhooks',
  'service-tokens': 'Service tokens',
  'directory-connections': 'Directory connections',
  domains: 'Domains',
  invitations: 'Invitations in a day',
  'invitations-per-person': 'Invitations of one person in an hour',
  exports: 'Exports in a day',
  'sign-on-trials': 'Looks for domains and test sign-ins in an hour',
  'logo-uploads': 'Uploads of a logo in a day',
  'logo-bytes': 'Size of uploaded logos in an hour',
  'calls-per-person': 'Calls of one person in a minute',
  'calls-per-token': 'Calls with one service token in a minute',
  'token-calls': 'Calls with all service tokens in a minute',
  'calls-per-directory': 'Calls of one directory in a minute',
  'requests-under-way': 'Requests at the same time',
  'requests-under-way-per-person': 'Requests of one person at the same time',
  'knocks-per-person': 'Knocks of one person in a minute',
  'messages-per-person': 'Messages of one person in a minute',
  'messages-per-conversation': 'Messages of one person to one conversation in 10 seconds',
  'groups-per-person': 'New groups of one person in a minute',
  'people-per-group': 'Others in a new group',
  'guests-per-room': 'Guests waiting before one room',
  'guests-per-link': 'Guests waiting with one link',
}

export const en = {
  title: 'Limits',
  about: 'Whoever operates this office sets them.',
  loading: 'Reading',
  failed: 'This could not be read.',
  names,
  none: 'no limit',
  of: (used: string, limit: string): string => `${used} / ${limit}`,
}
