import type { SuccessBody } from '@atrium/client'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { client } from '../../live/office-client.ts'
import { outdated, reading } from '../../live/queries.ts'
import { useAction } from '../../live/use-action.ts'
import { AnswerList } from '../../shell/answer.tsx'
import { Confirm } from '../../shell/question/confirm.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { ListRow } from '../../ui/list.tsx'
import { useAdministrationWords } from '../../words/administration.ts'
import { dateAndTime } from '../../words/date-and-time.ts'
import { useProgramsWords } from '../../words/programs.ts'
import { FormDialog } from '../form-dialog.tsx'
import { SecretOnce } from '../secret-once.tsx'

type Bot = SuccessBody<'listBots'>['bots'][number]
type Opened = { what: 'new' } | { what: 'rename' | 'delete'; bot: Bot } | { what: 'made'; token: string }

/** Programs that are members, each with a token of its own. */
export function Bots() {
  const words = useAdministrationWords()
  const { bots: texts } = useProgramsWords()
  const query = useQuery(reading('listBots'))
  const [opened, setOpened] = useState<Opened>()
  const close = () => setOpened(undefined)
  return (
    <Card
      title={texts.title}
      actions={
        <Button small icon="plus" onPress={() => setOpened({ what: 'new' })}>
          {texts.add}
        </Button>
      }
    >
      <AnswerList query={query} rows={({ bots }) => bots} label={texts.title} words={words} none={texts.none}>
        {(bot) => <BotRow key={bot.botId} bot={bot} onOpen={(what) => setOpened({ what, bot })} />}
      </AnswerList>
      {opened?.what === 'new' && (
        <NewBot onClose={close} onMade={(token) => setOpened({ what: 'made', token })} />
      )}
      {opened?.what === 'made' && <SecretOnce title={texts.made} secret={opened.token} onClose={close} />}
      {opened?.what === 'rename' && <RenameBot bot={opened.bot} onClose={close} />}
      {opened?.what === 'delete' && <DeleteBot bot={opened.bot} onClose={close} />}
    </Card>
  )
}

function BotRow({ bot, onOpen }: { bot: Bot; onOpen(what: 'rename' | 'delete'): void }) {
  const words = useAdministrationWords()
  const { bots: texts } = useProgramsWords()
  const { name, createdAt, lastUsedAt } = bot
  const used = lastUsedAt ? words.lastUsed(dateAndTime(lastUsedAt)) : words.neverUsed
  return (
    <ListRow
      title={name}
      about={[texts.since(dateAndTime(createdAt)), used].join(' · ')}
      after={
        <>
          <IconButton icon="edit" label={words.rename(name)} onPress={() => onOpen('rename')} />
          <IconButton icon="trash" label={texts.delete(name)} onPress={() => onOpen('delete')} />
        </>
      }
    />
  )
}

function NewBot({ onClose, onMade }: { onClose(): void; onMade(token: string): void }) {
  const words = useAdministrationWords()
  const { bots: texts } = useProgramsWords()
  const [name, setName] = useState('')
  const make = useAction(async () => {
    const { token } = await client.call('createBot', { name: name.trim() })
    await outdated('listBots', 'getOrganizationLimits', 'listAuditLog')
    onMade(token)
  })
  return (
    <FormDialog title={texts.add} submit={words.make} action={make} onClose={onClose}>
      <p>{texts.about}</p>
      <TextField label={words.name} value={name} onChange={setName} maxLength={100} isRequired autoFocus />
    </FormDialog>
  )
}

function RenameBot({ bot: { botId, name: before }, onClose }: { bot: Bot; onClose(): void }) {
  const words = useAdministrationWords()
  const [name, setName] = useState(before)
  const save = useAction(async () => {
    await client.call('updateBot', { botId, name: name.trim() })
    await outdated('listBots', 'listAuditLog')
    onClose()
  })
  return (
    <FormDialog title={words.rename(before)} submit={words.save} action={save} onClose={onClose}>
      <TextField label={words.name} value={name} onChange={setName} maxLength={100} isRequired autoFocus />
    </FormDialog>
  )
}

function DeleteBot({ bot: { botId, name }, onClose }: { bot: Bot; onClose(): void }) {
  const words = useAdministrationWords()
  const { bots: texts } = useProgramsWords()
  const remove = async () => {
    await client.call('deleteBot', { botId })
    await outdated('listBots', 'getOrganizationLimits', 'listAuditLog')
  }
  return (
    <Confirm
      title={texts.delete(name)}
      about={texts.deleteAbout}
      confirm={words.deleteIt}
      work={remove}
      onClose={onClose}
    />
  )
}
