/** How the text of a setting is read. */
export type SettingKind = 'text' | 'number' | 'boolean' | 'url' | 'list' | 'choice' | 'secret'

export interface Setting {
  name: string
  group: string
  kind: SettingKind
  description: string
  /** Text that stands for it where it is not set. Absent: unset, or worked out from others as described. */
  default?: string
  choices?: readonly string[]
  /** Smallest and largest value of a number. */
  range?: readonly [number, number]
  /** Of a number where 0 means no limit: less than this would let nothing pass at all. */
  leastAboveNone?: number
  /** Production refuses to start without it, or with its default. */
  requiredInProduction?: boolean
  /** Needed, in every environment, where another setting has this value, or where it is set at all. */
  neededWhere?: { setting: string; is?: string }
  /** Several secrets, separated by commas. */
  isList?: true
  /** First parts of an address that are accepted, with their colon; http: and https: where not given. */
  protocols?: readonly string[]
}
