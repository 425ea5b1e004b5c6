import type { SettingReader } from './setting-reader.ts'

/** How long things are kept at most, in days. Null: for ever. */
export interface RetentionConfig {
  chatDays: number | null
  auditDays: number | null
  /** The fewest that an organization may choose. */
  auditDaysMin: number
}

export function retentionConfigOf(read: SettingReader): RetentionConfig {
  const orForEver = (days: number) => (days === 0 ? null : days)
  return Object.freeze({
    chatDays: orForEver(read.number('CHAT_RETENTION_DAYS')),
    auditDays: orForEver(read.number('AUDIT_RETENTION_DAYS')),
    auditDaysMin: read.number('AUDIT_RETENTION_DAYS_MIN'),
  })
}
