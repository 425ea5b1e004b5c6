import type { SuccessBody } from '@atrium/client'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { client } from '../live/office-client.ts'
import { outdated, reading } from '../live/queries.ts'
import { useAction } from '../live/use-action.ts'
import { Answer } from '../shell/answer.tsx'
import { Confirm } from '../shell/question/confirm.tsx'
import { Button, IconButton } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Form } from '../ui/fields/form.tsx'
import { TextField } from '../ui/fields/text-field.tsx'
import { Problem } from '../ui/state.tsx'
import { useSignOnWords } from '../words/sign-on.ts'
import { CopyField } from './copy-field.tsx'

type Domain = SuccessBody<'listOrganizationDomains'>['domains'][number]

/** Which domains are the organization's, and how that is proven. */
export function Domains() {
  const words = useSignOnWords()
  const query = useQuery(reading('listOrganizationDomains'))
  return (
    <Card title={words.domains}>
      <p className="soft small">{words.domainsAbout}</p>
      <Answer {...{ query, words }}>
        {({ domains }) => (
          <>
            {domains.length === 0 && <p className="soft small">{words.noDomains}</p>}
            {domains.map((domain) => (
              <DomainPart key={domain.id} domain={domain} />
            ))}
          </>
        )}
      </Answer>
      <NewDomain />
    </Card>
  )
}

function DomainPart({ domain: { id, domain, state, provenByDns, record } }: { domain: Domain }) {
  const words = useSignOnWords()
  const [asks, setAsks] = useState(false)
  const verify = useAction(async () => {
    await client.call('verifyOrganizationDomain', { id })
    await outdated('listOrganizationDomains')
  })
  const isBelieved = state === 'verified' && !provenByDns
  return (
    <section className="sign-on-part" aria-label={domain}>
      <div className="sign-on-head">
        <h3>{domain}</h3>
        <IconButton icon="trash" label={words.remove(domain)} onPress={() => setAsks(true)} />
      </div>
      <p role="status" className="small">
        {words.states[isBelieved ? 'believed' : state]}
      </p>
      {record && !provenByDns && (
        <>
          <CopyField label={words.recordName} value={record.name} />
          <CopyField label={words.recordValue} value={record.value} />
          <Button small busy={verify.busy} onPress={() => void verify.run()}>
            {words.verify(domain)}
          </Button>
        </>
      )}
      <Problem>{verify.problem}</Problem>
      {asks && (
        <Confirm
          title={words.remove(domain)}
          about={words.removeAbout}
          confirm={words.removeIt}
          work={async () => {
            await client.call('removeOrganizationDomain', { id })
            await outdated('listOrganizationDomains')
          }}
          onClose={() => setAsks(false)}
        />
      )}
    </section>
  )
}

function NewDomain() {
  const words = useSignOnWords()
  const [name, setName] = useState('')
  const claim = useAction(async () => {
    await client.call('claimOrganizationDomain', { domain: name.trim() })
    setName('')
    await outdated('listOrganizationDomains')
  })
  return (
    <Form onSubmit={claim.run} className="administration-form">
      <TextField
        label={words.domain}
        value={name}
        onChange={setName}
        placeholder="acme.example"
        maxLength={253}
        autoComplete="off"
        problem={claim.problem}
        isRequired
      />
      <Button type="submit" busy={claim.busy} isDisabled={name.trim() === ''}>
        {words.addDomain}
      </Button>
    </Form>
  )
}
