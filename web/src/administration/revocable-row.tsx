import { useState } from 'react'
import { Confirm } from '../shell/question/confirm.tsx'
import { Button } from '../ui/button.tsx'
import { ListRow } from '../ui/list.tsx'

export interface RevocableRowProps {
  name: string
  about: string
  words: { revoke: string; revokeTitle(name: string): string; revokeAbout: string }
  onRevoke(): Promise<unknown>
}

/** Something of a name that programs get in by, with a button that revokes it after a question. */
export function RevocableRow({ name, about, words, onRevoke }: RevocableRowProps) {
  const [asks, setAsks] = useState(false)
  return (
    <ListRow
      title={name}
      about={
        <>
          {about}
          {asks && (
            <Confirm
              title={words.revokeTitle(name)}
              about={words.revokeAbout}
              confirm={words.revoke}
              work={onRevoke}
              onClose={() => setAsks(false)}
            />
          )}
        </>
      }
      after={
        <Button small look="quiet" onPress={() => setAsks(true)}>
          {words.revoke} <span className="visually-hidden">{name}</span>
        </Button>
      }
    />
  )
}
