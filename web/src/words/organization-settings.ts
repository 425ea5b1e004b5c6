import type { en } from './en/organization-settings.ts'
import { wordsOf } from './words-of.ts'

export const useOrganizationSettingsWords = await wordsOf<typeof en>('now-and-then', 'organizationSettings')
