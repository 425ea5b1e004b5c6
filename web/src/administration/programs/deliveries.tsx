import type { SuccessBody } from '@atrium/client'
import { useInfiniteQuery } from '@tanstack/react-query'
import { client } from '../../live/office-client.ts'
import { outdated } from '../../live/queries.ts'
import { readingOn } from '../../live/reading-on.ts'
import { useAction } from '../../live/use-action.ts'
import { AnswerList } from '../../shell/answer.tsx'
import { Button } from '../../ui/button.tsx'
import { ListRow } from '../../ui/list.tsx'
import { Dialog, DialogButtons } from '../../ui/overlays/dialog.tsx'
import { notices } from '../../ui/overlays/notices.ts'
import { Problem } from '../../ui/state.tsx'
import { useAdministrationWords } from '../../words/administration.ts'
import { dateAndTime } from '../../words/date-and-time.ts'
import { useProgramsWords } from '../../words/programs.ts'

type Delivery = SuccessBody<'listWebhookDeliveries'>['data'][number]

const PAGE = 20

interface DeliveriesProps {
  webhook: Pick<SuccessBody<'listWebhooks'>['webhooks'][number], 'id' | 'url' | 'state'>
  onClose(): void
}

/** What became of the events of an endpoint, newest first; what failed can be sent again. */
export function Deliveries({ webhook, onClose }: DeliveriesProps) {
  const words = useAdministrationWords()
  const programs = useProgramsWords()
  const { id, url, state } = webhook
  const query = useInfiniteQuery(readingOn('listWebhookDeliveries', { id, limit: PAGE }))
  const replay = useReplay(id)
  return (
    <Dialog title={programs.deliveriesOf(url)} isOpen wide onClose={onClose}>
      <AnswerList
        query={query}
        rows={({ pages }) => pages.flatMap(({ data }) => data)}
        label={programs.deliveries}
        words={words}
        none={programs.noDeliveries}
      >
        {(delivery) => (
          <DeliveryRow
            key={delivery.id}
            delivery={delivery}
            isHeld={state === 'unverified' && delivery.event !== 'webhook.test'}
            replay={replay}
          />
        )}
      </AnswerList>
      <Problem>{replay.problem}</Problem>
      <DialogButtons>
        {query.hasNextPage && (
          <Button busy={query.isFetchingNextPage} onPress={() => void query.fetchNextPage()}>
            {programs.more}
          </Button>
        )}
        <Button busy={replay.busy} onPress={() => void replay.run()}>
          {programs.sendFailedAgain}
        </Button>
        <Button look="primary" onPress={onClose}>
          {words.done}
        </Button>
      </DialogButtons>
    </Dialog>
  )
}

/** One delivery, or all that have failed. */
function useReplay(id: string) {
  const programs = useProgramsWords()
  return useAction(async (deliveryId?: string) => {
    const { replayed } = await client.call('replayWebhook', {
      id,
      ...(deliveryId === undefined ? {} : { deliveryId }),
    })
    await outdated('listWebhookDeliveries')
    notices.show({ text: programs.sentAgain(replayed) })
  })
}

interface DeliveryRowProps {
  delivery: Delivery
  /** Nothing but a test goes to an address before its receiver has agreed. */
  isHeld: boolean
  replay: ReturnType<typeof useReplay>
}

function DeliveryRow({ delivery, isHeld, replay }: DeliveryRowProps) {
  const programs = useProgramsWords()
  const { id, event, at, attempts, state, status } = delivery
  const answer = status === null ? programs.noAnswer : programs.answered(status)
  const about = [
    isHeld && state === 'pending' ? programs.held : programs.deliveryStates[state],
    ...(attempts > 0 ? [programs.attempts(attempts), answer] : []),
  ]
  return (
    <ListRow
      title={event}
      about={[dateAndTime(at), ...about].join(' · ')}
      after={
        state === 'pending' ? null : (
          <Button small busy={replay.busy} onPress={() => void replay.run(id)}>
            {programs.sendAgain} <span className="visually-hidden">{event}</span>
          </Button>
        )
      }
    />
  )
}
