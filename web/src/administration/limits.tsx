import type { SuccessBody } from '@atrium/client'
import { useQuery } from '@tanstack/react-query'
import { reading } from '../live/queries.ts'
import { AnswerList } from '../shell/answer.tsx'
import { Card } from '../ui/card.tsx'
import { ListRow } from '../ui/list.tsx'
import { localeNow } from '../words/language.ts'
import { useLimitsWords } from '../words/limits.ts'

type Limit = SuccessBody<'getOrganizationLimits'>['limits'][number]

const MEBIBYTE = 1024 * 1024

/** How much the organization may have, and has used. */
export function Limits() {
  const words = useLimitsWords()
  const query = useQuery(reading('getOrganizationLimits'))
  return (
    <div className="administration-wide administration-limits">
      <Card title={words.title}>
        <p className="soft small">{words.about}</p>
        <AnswerList query={query} rows={({ limits }) => limits} label={words.title} words={words}>
          {(limit) => (
            <ListRow key={limit.name} title={words.names[limit.name]} after={<Amount limit={limit} />} />
          )}
        </AnswerList>
      </Card>
    </div>
  )
}

function Amount({ limit: { limit, used, unit } }: { limit: Limit }) {
  const words = useLimitsWords()
  const most = limit === 0 ? words.none : written(limit, unit)
  return <span className="small">{used === null ? most : words.of(written(used, unit), most)}</span>
}

/** Bytes as people read them. */
function written(amount: number, unit: string): string {
  const format = new Intl.NumberFormat(localeNow(), { maximumFractionDigits: 1 })
  return unit.startsWith('bytes') ? `${format.format(amount / MEBIBYTE)} MiB` : format.format(amount)
}
