import type { SuccessBody } from '@atrium/client'

type LimitName = SuccessBody<'getOrganizationLimits'>['limits'][number]['name']

const names: Record<LimitName, string> = {
  rooms: 'Rooms',
  webhooks: 'Webhooks',
  'service-tokens': 'Service tokens',
  bots: 'Bots',
  'directory-connections': 'Directory connections',
  domains: 'Domains',
  invitations: 'Invitations per day',
  'invitations-per-person': 'Invitations by one person per hour',
  exports: 'Exports per day',
  'sign-on-trials': 'Domain checks and test sign-ins per hour',
  'logo-uploads': 'Logo uploads per day',
  'logo-bytes': 'Size of uploaded logos per hour',
  'calls-per-person': 'Calls by one person per minute',
  'calls-per-token': 'Calls with one service token per minute',
  'token-calls': 'Calls with all service tokens per minute',
  'calls-per-directory': 'Calls by one directory per minute',
  'requests-under-way': 'Requests at the same time',
  'requests-under-way-per-person': 'Requests by one person at the same time',
  'knocks-per-person': 'Knocks by one person per minute',
  'messages-per-person': 'Messages by one person per minute',
  'messages-per-conversation': 'Messages by one person to one conversation in 10 seconds',
  'groups-per-person': 'New groups by one person per minute',
  'people-per-group': 'Others in a new group',
  'reactions-per-person': 'Reactions by one person per minute',
  'edit-minutes': 'Minutes in which a message may be changed by its author',
  'file-bytes': 'Size of the files of all people per day',
  'file-bytes-per-person': 'Size of the files of one person per hour',
  'guests-per-room': 'Guests waiting outside one room',
  'guests-per-link': 'Guests waiting with one link',
}

export const en = {
  title: 'Limits',
  about: 'Whoever operates this office sets them.',
  loading: 'Loading',
  failed: 'This could not be read.',
  names,
  none: 'no limit',
  of: (used: string, limit: string): string => `${used} / ${limit}`,
}
