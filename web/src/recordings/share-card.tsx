import type { SuccessBody } from '@atrium/client'
import { useState } from 'react'
import { client } from '../live/office-client.ts'
import { outdated } from '../live/queries.ts'
import { useAction } from '../live/use-action.ts'
import { useCopy } from '../live/use-copy.ts'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Select } from '../ui/fields/select.tsx'
import { Problem } from '../ui/state.tsx'
import { dateAndTime } from '../words/date-and-time.ts'
import { useFilmWords } from '../words/film.ts'

const DAYS = ['1', '7', '14'] as const
type Days = (typeof DAYS)[number]

/** For how long every member may watch, and the address for them. */
export function ShareCard({ recording: { id, sharedUntil } }: { recording: SuccessBody<'getRecording'> }) {
  const words = useFilmWords()
  const [days, setDays] = useState<Days>('7')
  const copying = useCopy()
  const share = useAction(async (forDays: number) => {
    const { url } = await client.call('shareRecording', { recordingId: id, days: forDays })
    copying.forget()
    if (forDays > 0) await copying.copy(url)
    await outdated('getRecording', 'listRecordings')
  })
  const isShared = sharedUntil !== undefined && Date.parse(sharedUntil) > Date.now()
  return (
    <Card title={words.shareTitle}>
      <p className="soft">{isShared ? words.sharedUntil(dateAndTime(sharedUntil)) : words.notShared}</p>
      <div className="film-form">
        <Select<Days>
          label={words.shareFor}
          options={DAYS.map((one) => ({ id: one, label: words.days(Number(one)) }))}
          value={days}
          onChange={setDays}
        />
        <Button busy={share.busy} onPress={() => void share.run(Number(days))}>
          {words.share}
        </Button>
        {isShared && (
          <Button look="quiet" busy={share.busy} onPress={() => void share.run(0)}>
            {words.endSharing}
          </Button>
        )}
      </div>
      <p role="status">{copying.said}</p>
      <Problem>{share.problem ?? copying.problem}</Problem>
    </Card>
  )
}
