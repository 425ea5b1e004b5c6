import type { DeploymentLimits } from '../../access/budgets/organization-limits.ts'
import type { Config } from '../../configuration/config.ts'

/** What the settings give to every organization: of each limit, the setting that it names. */
export function deploymentLimits({ limits, requestsUnderWay, ...config }: Config): DeploymentLimits {
  return {
    rooms: limits.rooms,
    webhooks: limits.webhooks,
    'service-tokens': limits.serviceTokens,
    bots: limits.bots,
    'directory-connections': limits.directoryConnections,
    domains: limits.domains,
    invitations: limits.invitationsPerOrganization,
    'invitations-per-person': limits.invitationsPerUser,
    exports: limits.exportsPerOrganization,
    'sign-on-trials': limits.signOnTrialsPerOrganization,
    'logo-uploads': config.logoUploadTries,
    'logo-bytes': limits.uploadBytesPerUser,
    'calls-per-person': limits.perUser,
    'calls-per-token': limits.perToken,
    'token-calls': limits.tokensPerOrganization,
    'calls-per-directory': limits.perDirectory,
    'requests-under-way': requestsUnderWay.organization,
    'requests-under-way-per-person': requestsUnderWay.person,
    'knocks-per-person': limits.knocksPerUser,
    'messages-per-person': limits.messagesPerUser,
    'messages-per-conversation': limits.messagesPerConversation,
    'groups-per-person': limits.groupsPerUser,
    'people-per-group': limits.peoplePerGroup,
    'reactions-per-person': limits.reactionsPerUser,
    'edit-minutes': limits.editMinutes,
    'file-bytes': limits.fileBytesPerOrganization,
    'file-bytes-per-person': limits.fileBytesPerUser,
    'guests-per-room': limits.guestsWaitingPerRoom,
    'guests-per-link': config.guestsWaitingPerInvite,
  }
}
