import type { SuccessBody } from '@atrium/client'
import { useState } from 'react'
import { client } from '../live/office-client.ts'
import { outdated } from '../live/queries.ts'
import { useAction } from '../live/use-action.ts'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Form } from '../ui/fields/form.tsx'
import { TextField } from '../ui/fields/text-field.tsx'
import { useFilmWords } from '../words/film.ts'

const NAME_LENGTH_MAX = 200

/** What a recording is called. */
export function NameCard({ recording: { id, name } }: { recording: SuccessBody<'getRecording'> }) {
  const words = useFilmWords()
  const [text, setText] = useState(name ?? '')
  const save = useAction(async () => {
    await client.call('updateRecording', { recordingId: id, name: text })
    await outdated('getRecording', 'listRecordings')
  })
  return (
    <Card title={words.nameTitle}>
      <Form className="film-form" onSubmit={save.run}>
        <TextField
          label={words.name}
          value={text}
          onChange={setText}
          maxLength={NAME_LENGTH_MAX}
          problem={save.problem}
          isRequired
        />
        <Button type="submit" busy={save.busy}>
          {words.saveName}
        </Button>
      </Form>
    </Card>
  )
}
