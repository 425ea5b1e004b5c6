import { useState } from 'react'
import { client, readSession } from '../live/office-client.ts'
import { useMembership } from '../live/permissions.ts'
import { useAction } from '../live/use-action.ts'
import { usePicture } from '../live/use-picture.ts'
import { PictureButton } from '../shell/picture/picture-button.tsx'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Form } from '../ui/fields/form.tsx'
import { TextField } from '../ui/fields/text-field.tsx'
import { notices } from '../ui/overlays/notices.ts'
import { Problem } from '../ui/state.tsx'
import { useAdministrationWords } from '../words/administration.ts'

interface Organization {
  id: string
  name: string
  logoUrl?: string | null
}

export function OrganizationCard() {
  const organization = useMembership()?.organization
  return organization && <OfOrganization organization={organization} />
}

function OfOrganization({ organization }: { organization: Organization }) {
  const words = useAdministrationWords()
  // as long as nothing is typed, whatever it was changed to elsewhere
  const [typed, setTyped] = useState<string>()
  const name = typed ?? organization.name
  const save = useAction(async () => {
    await client.call('updateOrganization', { organizationId: organization.id, name: name.trim() })
    await readSession()
    setTyped(undefined)
    notices.show({ text: words.saved, tone: 'good' })
  })
  return (
    <Card title={words.organization}>
      <Logo url={organization.logoUrl ?? ''} />
      <Form onSubmit={save.run} className="administration-form">
        <TextField
          label={words.name}
          value={name}
          onChange={setTyped}
          maxLength={100}
          autoComplete="off"
          isRequired
        />
        <Problem>{save.problem}</Problem>
        <Button type="submit" busy={save.busy} isDisabled={name.trim() === organization.name}>
          {words.save}
        </Button>
      </Form>
    </Card>
  )
}

function Logo({ url }: { url: string }) {
  const words = useAdministrationWords()
  const { upload, remove, problem } = usePicture('logo')
  return (
    <div className="administration-logo">
      <img src={url || '/favicon.svg'} alt="" width="56" height="56" />
      <PictureButton
        label={words.chooseLogo}
        busy={upload.busy}
        onPicture={(picture) => void upload.run(picture)}
      />
      {url !== '' && (
        <Button small look="quiet" busy={remove.busy} onPress={() => void remove.run()}>
          {words.removeLogo}
        </Button>
      )}
      <Problem>{problem}</Problem>
    </div>
  )
}
