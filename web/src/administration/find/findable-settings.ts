import { useAdministrationWords } from '../../words/administration.ts'
import { useDirectoryWords } from '../../words/directory.ts'
import { useExportsWords } from '../../words/exports.ts'
import { useFloorWords } from '../../words/floor.ts'
import { useLimitsWords } from '../../words/limits.ts'
import { useOrganizationSettingsWords } from '../../words/organization-settings.ts'
import { useProgramsWords } from '../../words/programs.ts'
import { useRetentionWords } from '../../words/retention.ts'
import { useSignOnWords } from '../../words/sign-on.ts'

/** What the settings of each card are called there; the first one is the title of the card. */
export function useSettingNames() {
  const words = useAdministrationWords()
  const settings = useOrganizationSettingsWords()
  const exports = useExportsWords()
  const signOn = useSignOnWords()
  const directory = useDirectoryWords()
  const floor = useFloorWords()
  const retention = useRetentionWords()
  const { bots } = useProgramsWords()
  const limits = useLimitsWords()
  return {
    organization: [words.organization, words.name, words.chooseLogo],
    settings: [settings.title, settings.guestAdmission, settings.language, settings.agents],
    export: [exports.ofOrganization],
    domains: [signOn.domains, signOn.domain],
    signOn: [signOn.signOn],
    directories: [signOn.directories, signOn.newDirectory],
    refusals: [directory.refusals],
    rooms: [words.rooms, floor.addRoom],
    recordings: [words.recordings, words.searchRecordings],
    retention: [
      ...[retention.title, retention.chatDays, retention.auditDays],
      ...[retention.recordingDays, retention.sessionDays],
    ],
    bots: [bots.title, bots.add],
    tokens: [words.tokens, words.newToken],
    webhooks: [words.webhooks, words.newWebhook],
    trail: [words.audit],
    limits: [limits.title],
  } satisfies Record<string, readonly [title: string, ...more: string[]] | string[]>
}

export type CardId = keyof ReturnType<typeof useSettingNames>
