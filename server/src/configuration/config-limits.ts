import type { SettingReader } from './setting-reader.ts'

/** Sizes of budgets, and how much there may be of something; 0: no limit. */
export interface LimitsConfig {
  codesPerEmail: number
  codesPerEmailHour: number
  signInPerAddress: number
  guessesPerAddress: number
  guessesPerEmailHour: number
  guessesPerEmailDay: number
  guestPerAddress: number
  knocksPerUser: number
  uploadBytesPerUser: number
  perUser: number
  perToken: number
  perDirectory: number
  invitationsPerUser: number
  invitationsPerOrganization: number
  invitationsPerAddress: number
  invitationsPerEmail: number
  exportsPerUser: number
  exportsPerOrganization: number
  signOnTrialsPerOrganization: number
  tokensPerOrganization: number
  messagesPerConversation: number
  messagesPerUser: number
  groupsPerUser: number
  peoplePerGroup: number
  reactionsPerUser: number
  editMinutes: number
  fileBytesMax: number
  fileBytesPerUser: number
  fileBytesPerOrganization: number
  organizationsPerUser: number
  rooms: number
  webhooks: number
  webhookTestsPerHost: number
  webhookTestsPerAddress: number
  serviceTokens: number
  bots: number
  directoryConnections: number
  domains: number
  guestsWaitingPerRoom: number
  unfinishedUploads: number
}

/** All tokens of an organization together call as often as so many do, where nothing else is said. */
const TOKENS_AT_FULL_PACE = 5

/** Of the connections to the database, what the requests of one organization may have: others always find one. */
const SHARE_OF_ORGANIZATION = 0.6

/** Worked on at the same time by each node; 0: any number. */
export interface RequestsUnderWayConfig {
  person: number
  organization: number
}

export function requestsUnderWayConfigOf({ number, text }: SettingReader): RequestsUnderWayConfig {
  const share = Math.max(1, Math.floor(number('DATABASE_POOL_SIZE') * SHARE_OF_ORGANIZATION))
  return Object.freeze<RequestsUnderWayConfig>({
    person: number('REQUESTS_UNDER_WAY_PER_USER'),
    organization: Number(text('REQUESTS_UNDER_WAY_PER_ORGANIZATION') ?? share),
  })
}

export function limitsConfigOf({ number, text }: SettingReader): LimitsConfig {
  return Object.freeze<LimitsConfig>({
    codesPerEmail: number('RATE_LIMIT_CODES_PER_EMAIL'),
    codesPerEmailHour: number('RATE_LIMIT_CODES_PER_EMAIL_HOUR'),
    signInPerAddress: number('RATE_LIMIT_SIGN_IN_PER_ADDRESS'),
    guessesPerAddress: number('RATE_LIMIT_GUESSES_PER_ADDRESS'),
    guessesPerEmailHour: number('RATE_LIMIT_GUESSES_PER_EMAIL_HOUR'),
    guessesPerEmailDay: number('RATE_LIMIT_GUESSES_PER_EMAIL_DAY'),
    guestPerAddress: number('RATE_LIMIT_GUEST_PER_ADDRESS'),
    knocksPerUser: number('RATE_LIMIT_KNOCKS_PER_USER'),
    uploadBytesPerUser: number('RATE_LIMIT_UPLOAD_BYTES_PER_USER'),
    perUser: number('RATE_LIMIT_PER_USER'),
    perToken: number('RATE_LIMIT_PER_TOKEN'),
    perDirectory: number('RATE_LIMIT_PER_DIRECTORY'),
    invitationsPerUser: number('RATE_LIMIT_INVITATIONS_PER_USER'),
    invitationsPerOrganization: number('RATE_LIMIT_INVITATIONS_PER_ORGANIZATION'),
    invitationsPerAddress: number('RATE_LIMIT_INVITATIONS_PER_ADDRESS'),
    invitationsPerEmail: number('RATE_LIMIT_INVITATIONS_PER_EMAIL'),
    exportsPerUser: number('RATE_LIMIT_EXPORTS_PER_USER'),
    exportsPerOrganization: number('RATE_LIMIT_EXPORTS_PER_ORGANIZATION'),
    signOnTrialsPerOrganization: number('RATE_LIMIT_SIGN_ON_TRIALS_PER_ORGANIZATION'),
    tokensPerOrganization: Number(
      text('RATE_LIMIT_TOKENS_PER_ORGANIZATION') ?? number('RATE_LIMIT_PER_TOKEN') * TOKENS_AT_FULL_PACE,
    ),
    messagesPerConversation: number('RATE_LIMIT_MESSAGES_PER_CONVERSATION'),
    messagesPerUser: number('RATE_LIMIT_MESSAGES_PER_USER'),
    groupsPerUser: number('RATE_LIMIT_GROUPS_PER_USER'),
    peoplePerGroup: number('PEOPLE_PER_GROUP'),
    reactionsPerUser: number('RATE_LIMIT_REACTIONS_PER_USER'),
    editMinutes: number('CHAT_EDIT_MINUTES'),
    fileBytesMax: number('CHAT_FILE_BYTES'),
    fileBytesPerUser: number('RATE_LIMIT_FILE_BYTES_PER_USER'),
    fileBytesPerOrganization: number('RATE_LIMIT_FILE_BYTES_PER_ORGANIZATION'),
    organizationsPerUser: number('ORGANIZATIONS_PER_USER'),
    rooms: number('ROOMS_PER_ORGANIZATION'),
    webhooks: number('WEBHOOKS_PER_ORGANIZATION'),
    webhookTestsPerHost: number('RATE_LIMIT_WEBHOOK_TESTS_PER_HOST'),
    webhookTestsPerAddress: number('RATE_LIMIT_WEBHOOK_TESTS_PER_ADDRESS'),
    serviceTokens: number('SERVICE_TOKENS_PER_ORGANIZATION'),
    bots: number('BOTS_PER_ORGANIZATION'),
    directoryConnections: number('DIRECTORY_CONNECTIONS_PER_ORGANIZATION'),
    domains: number('DOMAINS_PER_ORGANIZATION'),
    guestsWaitingPerRoom: number('GUESTS_WAITING_PER_ROOM'),
    unfinishedUploads: number('UNFINISHED_UPLOADS'),
  })
}
